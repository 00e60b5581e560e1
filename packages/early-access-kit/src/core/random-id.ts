/** A UUID (version 4). Pages on plain http have no `crypto.randomUUID`, so that it is put together by hand there. */
export function randomId(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (Number(crypto.getRandomValues(new Uint8Array(1))) & (15 >> (Number(digit) / 4)))).toString(16),
  );
}
