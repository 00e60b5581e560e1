import { ConfigError } from './config-error.ts';

/** Loads code that imports an optional package. Throws a `ConfigError` with `hint` if the package is not installed. */
export async function loadOptional<T>(load: () => Promise<T>, hint: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new ConfigError(hint);
  }
}
