/** A setting that cannot be used. Its message is one line that says how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
