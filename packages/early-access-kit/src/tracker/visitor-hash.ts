/** The id of a visitor who is not stored: a hash of browser and device traits (SPEC section 9). Equal devices may share it. */
export function visitorHash(): string {
  const { userAgent, language, hardwareConcurrency } = navigator;
  // Nothing that changes meanwhile: turning a phone swaps width and height, and summer time moves today's offset.
  const area = screen.width * screen.height;
  return hash([userAgent, language, hardwareConcurrency, area, new Date(0).getTimezoneOffset()].join());
}

/**
 * FNV-1a of 32 bits, in hex: traits that many devices share are the far likelier cause of a shared id.
 * `crypto.subtle` would be asynchronous, and is missing on plain http.
 */
export function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
