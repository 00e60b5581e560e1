import { resolve } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { describeError, jsonLog } from '../app/ports/log.ts';
import { EnvLineError, parseEnvText } from '../settings/env-text.ts';
import type { Environment } from '../settings/setting.ts';
import { hintsAboutNames } from '../settings/setting-names.ts';
import { readTextFile } from '../settings/text-file.ts';
import type { Command, CommandContext, Commands } from './command.ts';

/**
 * Adds the settings of the file `.env` in `folder`, if there is one, to the environment, which wins. Throws a
 * `ConfigError` that names the file, and the line that cannot be used.
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

/**
 * The same commands, which also read the settings of `.env` in the working folder, and log names in it that are no
 * settings.
 */
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
