import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { describeError, jsonLog } from '../app/ports/log.ts';
import type { Environment } from '../settings/setting.ts';
import { hintsAboutNames, withCurrentNames } from '../settings/setting-names.ts';
import type { Command, CommandContext, Commands } from './command.ts';

/** A comment, nothing, or `NAME=value`. */
const USABLE_LINE = /^\s*(#.*|(export\s+)?[A-Za-z_]\w*\s*=.*)?$/;
/** A quoted value may continue on the next line for Node, which would swallow the settings there. */
const OPEN_QUOTE = /=\s*(?:"[^"]*|'[^']*|`[^`]*)$/;

/**
 * Adds the settings of the file `.env` in `folder`, if there is one, to the environment, which wins. Throws a `ConfigError` that names the
 * line that cannot be used, without its text: it may be a password.
 */
export function withEnvFile(env: Environment, folder: string): Pick<CommandContext, 'env' | 'envFile'> {
  const envFile = resolve(folder, '.env');
  const text = readIfPresent(envFile);
  if (text === null) return { env };
  const broken = text.split(/\r?\n/).findIndex((line) => !USABLE_LINE.test(line) || OPEN_QUOTE.test(line));
  if (broken >= 0) {
    throw new ConfigError(`${envFile}, line ${broken + 1}: must be NAME=value, with quotes closed, or start with #`);
  }
  return { env: { ...parseEnv(text), ...env }, envFile };
}

/** The same commands, which also read the settings of `.env` in the working folder, and log names of settings that have to be corrected. */
export function readingEnvFile(commands: Commands): Commands {
  return Object.fromEntries(
    Object.entries(commands).map(([name, command]): [string, Command] => [
      name,
      async (context) => {
        const { env, ...file } = withEnvFile(context.env, process.cwd());
        const ownNames = Object.keys(env).filter((setting) => context.env[setting] === undefined);
        const log = jsonLog(context.stderr);
        for (const hint of hintsAboutNames(env, ownNames)) log('warn', 'setting-name', { hint });
        return command({ ...context, ...file, env: withCurrentNames(env) });
      },
    ]),
  );
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ConfigError(`${file} cannot be read: ${describeError(error)}`);
  }
}
