import { isValidEmail } from 'early-access-kit/core';

/** The bare address of a sender, which is an address or `Name <address>`; null where it is neither. */
export function senderAddress(from: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would start another header
  const shape = /^(?:[^<>"\u0000-\u001f]*<([^<>]+)>|[^<>]+)$/.exec(from);
  const address = shape?.[1] ?? from;
  return shape && isValidEmail(address) && address === address.trim() ? address : null;
}
