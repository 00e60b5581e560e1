/** The ids of sessions, visitors and submissions. Firestore reserves ids that start and end with two underscores. */
export const ID = /^(?!__.*__$)[\w-]{8,64}$/;

/** What an id has to be, for error messages. */
export const ID_RULE = 'must be 8 to 64 letters, digits, "-" or "_", and not start and end with "__"';

/** Returns whether stores accept the value as an id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}
