/**
 * Returns whether stores accept the value as an id of a session, visitor or submission. Firestore reserves `__.*__`.
 */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^(?!__.*__$)[\w-]{8,64}$/.test(value);
}

/** Returns 128 random bits. Does not use `crypto.randomUUID`, which is missing on plain HTTP. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
