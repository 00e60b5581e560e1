import { ConfigError, parseEnvText, SETTINGS } from 'early-access-server/internal';
import * as parameters from './params.ts';

/** Returns the parameters that are not secrets. */
export function plainParameters() {
  return Object.values(parameters).flatMap((parameter) =>
    parameter === null || 'label' in parameter.options ? [] : [parameter],
  );
}

/** Returns the secrets of the mail providers in `MAIL_EVENTS`. */
export function reportSecrets() {
  const { POSTMARK_WEBHOOK_KEY, RESEND_WEBHOOK_SECRET, MAILGUN_SIGNING_KEY, BREVO_WEBHOOK_KEY } = parameters;
  const secrets = [POSTMARK_WEBHOOK_KEY, RESEND_WEBHOOK_SECRET, MAILGUN_SIGNING_KEY, BREVO_WEBHOOK_KEY];
  return secrets.flatMap((secret) => secret ?? []);
}

/**
 * Returns a dotenv file of the parameters with their defaults. Those without a default are comments, and secrets are
 * omitted. `firebase deploy` asks for each parameter without a value in a file, and fails without a terminal, even if
 * there is a default.
 */
export function parameterFile(): string {
  return plainParameters()
    .map(({ name, options }) => {
      const value = 'default' in options ? options.default : undefined;
      return `# ${options.description}\n${value === undefined ? `#${name}=` : `${name}=${value}`}\n`;
    })
    .join('\n');
}

/**
 * Throws a `ConfigError` if a parameter in a dotenv file has an invalid value, or one of which `firebase deploy` would
 * drop a part: it treats every `#` outside of quotes as the start of a comment. Lines of other functions are ignored.
 */
export function checkParameterFile(file: string, text: string): void {
  const names: readonly string[] = plainParameters().map(({ name }) => name);
  for (const [index, line] of text.split('\n').entries()) {
    const [, name = '', quote] = /^\s*(\w+)\s*=\s*(["'])?/.exec(line) ?? [];
    if (!names.includes(name)) continue;
    const where = `${file}, line ${index + 1}`;
    const value = readWhole(line, name, quote !== undefined);
    if (value === null) throw new ConfigError(`${where}: put the whole value of ${name} in single quotes: '…'`);
    if (value !== '')
      Object.values(SETTINGS)
        .find((setting) => setting.name === name)
        ?.parse(value, `${where}: ${name}`);
  }
}

/** Returns null if `firebase deploy` would read a different value. */
function readWhole(line: string, name: string, isQuoted: boolean): string | null {
  try {
    const value = parseEnvText(line)[name] ?? '';
    return isQuoted || !value.includes('#') ? value : null;
  } catch {
    return null;
  }
}
