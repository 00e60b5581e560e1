/** A UUID (version 4). Not from `crypto.randomUUID`, which pages on plain http lack. */
export function randomId(): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (Number(crypto.getRandomValues(new Uint8Array(1))) & (15 >> (Number(digit) / 4)))).toString(16),
  );
}
