import { isValidEmail } from 'early-access-kit/core';

/** The bare address of a sender such as `hello@example.com` or `Name <hello@example.com>`; null for any other text. */
export function senderAddress(from: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would start another header
  const shape = /^(?:[^<>"\u0000-\u001f]*<([^<>]+)>|[^<>]+)$/.exec(from);
  const address = shape?.[1] ?? from;
  return shape && isValidEmail(address) && address === address.trim() ? address : null;
}
