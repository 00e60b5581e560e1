import { resolve } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { describeError, jsonLog } from '../app/ports/log.ts';
import { EnvLineError, parseEnvText } from '../settings/env-text.ts';
import type { Environment } from '../settings/setting.ts';
import { hintsAboutNames } from '../settings/setting-names.ts';
import { readTextFile } from '../settings/text-file.ts';
import type { Command, CommandContext, Commands } from './command.ts';

/**
 * Adds the settings of `.env` in `folder`, if it exists, to the environment. Variables of the environment take
 * precedence. Throws a `ConfigError` with the file and the line that is invalid.
 */
export function withEnvFile(env: Environment, folder: string): Pick<CommandContext, 'env' | 'envFile'> {
  const envFile = resolve(folder, '.env');
  try {
    return { env: { ...parseEnvText(readTextFile(envFile)), ...env }, envFile };
  } catch (error) {
    if (error instanceof EnvLineError) throw new ConfigError(`${envFile}, ${error.message}`);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { env };
    throw new ConfigError(`${envFile} cannot be read: ${describeError(error)}`);
  }
}

/** Wraps the commands so that they read `.env` in the working folder, and logs names in it that are not settings. */
export function readingEnvFile(commands: Commands): Commands {
  return Object.fromEntries(
    Object.entries(commands).map(([name, command]): [string, Command] => [
      name,
      async (context) => {
        const { env, ...file } = withEnvFile(context.env, process.cwd());
        const ownNames = Object.keys(env).filter((setting) => context.env[setting] === undefined);
        const log = jsonLog(context.stderr);
        for (const hint of hintsAboutNames(env, ownNames)) log('warn', 'setting-name', { hint });
        return command({ ...context, ...file, env });
      },
    ]),
  );
}
