/** Returns the id of a new visitor: a hash of browser and device traits (SPEC section 9). Identical devices may share it. */
export function visitorHash(): string {
  const { userAgent, language, hardwareConcurrency } = navigator;
  // Only stable traits: rotating a phone swaps width and height, and daylight saving time changes the current offset.
  const area = screen.width * screen.height;
  return hash([userAgent, language, hardwareConcurrency, area, new Date(0).getTimezoneOffset()].join());
}

/**
 * Returns the 32-bit FNV-1a hash in hexadecimal. Devices with equal traits cause far more shared ids than hash collisions do.
 * `crypto.subtle` would be asynchronous, and is missing on plain HTTP.
 */
export function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
