import { checkDeclarations, type FieldDeclarations } from 'early-access-kit/core';
import { ConfigError } from './config-error.ts';

/** The host's declaration, none if undefined. Throws a `ConfigError` that names the field if it contradicts itself. */
export function checkedFields(declared: unknown = {}): FieldDeclarations {
  try {
    return checkDeclarations(declared);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError(error.message);
  }
}
