import { randomUUID } from 'node:crypto';
import { type EmailSignup, type FieldDeclarations, parseSignup } from 'early-access-kit/internal';

/** The source of a signup whose sender names none, such as a program. */
export const DEFAULT_SOURCE = 'api';

/**
 * Parses the signup of a JSON body, in which `source` and `submission_id` are optional. Throws a `StorageError` as
 * `parseSignup` does.
 */
export function readSignup(body: unknown, declarations: FieldDeclarations): EmailSignup {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const defaults = { source: DEFAULT_SOURCE, submission_id: randomUUID() };
  return parseSignup(isObject ? { ...defaults, ...body } : body, declarations);
}
