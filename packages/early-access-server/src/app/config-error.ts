/** An invalid setting. The message is a single line that explains how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
