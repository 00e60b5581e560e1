import { ConfigError, parseEnvText } from 'early-access-server/app';
import * as parameters from './params.ts';

/** The parameters that are no secrets. */
export function plainParameters() {
  return Object.values(parameters).flatMap((parameter) =>
    parameter === null || 'label' in parameter.options ? [] : [parameter],
  );
}

/**
 * A dotenv file of the parameters with their defaults; those without a default are comments, and secrets are left out. `firebase deploy`
 * asks for each parameter that no file has a value of, and without a terminal it fails, even if there is a default.
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
 * Throws a `ConfigError` if `firebase deploy` would drop a part of a parameter in a dotenv file: it takes every `#` outside of quotes for the
 * start of a comment. Lines of other functions may be anything.
 */
export function checkParameterFile(file: string, text: string): void {
  const names: readonly string[] = plainParameters().map(({ name }) => name);
  for (const [index, line] of text.split('\n').entries()) {
    const [, name = '', quote] = /^\s*(\w+)\s*=\s*(["'])?/.exec(line) ?? [];
    if (!names.includes(name) || isReadWhole(line, name, quote !== undefined)) continue;
    throw new ConfigError(`${file}, line ${index + 1}: put the whole value of ${name} in single quotes: '…'`);
  }
}

function isReadWhole(line: string, name: string, isQuoted: boolean): boolean {
  try {
    const value = parseEnvText(line)[name] ?? '';
    return isQuoted || !value.includes('#');
  } catch {
    return false;
  }
}
