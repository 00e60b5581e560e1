/** Returns whether stores accept the value as an id of a session, visitor or submission. Firestore reserves ids that match `__.*__`. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^(?!__.*__$)[\w-]{8,64}$/.test(value);
}

/** Returns a UUID (version 4). Does not use `crypto.randomUUID`, which is missing on plain HTTP. */
export function randomId(): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (+digit ^ (+crypto.getRandomValues(new Uint8Array(1)) & (15 >> (+digit / 4)))).toString(16),
  );
}
