import { readFileSync } from 'node:fs';
import type { FieldDeclarations } from 'early-access-kit/core';
import { ConfigError } from '../app/config-error.ts';
import { checkedFields } from '../app/declared-fields.ts';
import { reasonOf } from '../app/log.ts';

/** Reads the declaration of the form's fields from a JSON file. Throws a `ConfigError` that says what is wrong with it. */
export function readFieldsFile(file: string): FieldDeclarations {
  let declared: unknown;
  try {
    declared = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`SIGNUP_FIELDS: ${file} must be a JSON file that can be read: ${reasonOf(error)}`);
  }
  try {
    return checkedFields(declared);
  } catch (error) {
    throw new ConfigError(`SIGNUP_FIELDS: ${file}: ${reasonOf(error)}`);
  }
}
