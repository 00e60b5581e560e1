import { randomUUID } from 'node:crypto';
import { type EmailSignup, type FieldDeclarations, parseSignup } from 'early-access-kit/internal';

/** The source of signups that do not specify one, for example from programs. */
export const DEFAULT_SOURCE = 'api';

/**
 * Parses a signup from a JSON body, in which `source` and `submission_id` are optional. Throws the same `StorageError`s
 * as `parseSignup`.
 */
export function readSignup(body: unknown, declarations: FieldDeclarations): EmailSignup {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const defaults = { source: DEFAULT_SOURCE, submission_id: randomUUID() };
  return parseSignup(isObject ? { ...defaults, ...body } : body, declarations);
}
