import type { SignupFields } from 'early-access-kit/core';

/**
 * The values of the host's own fields as a database holds them. They were valid when they were stored, and are not compared with what is
 * declared today. Undefined if there are none.
 */
export function storedFields(stored: unknown): SignupFields | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const fields: Record<string, string | true> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (typeof value === 'string' || value === true) fields[name] = value;
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}
