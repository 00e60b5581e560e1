import { ConfigError } from '../app/config-error.ts';
import type { Environment } from '../settings/setting.ts';

export interface CommandContext {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly env: Environment;
  /** The file whose settings are included in `env`. */
  readonly envFile?: string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Runs to completion and returns the exit code. */
export type Command = (context: CommandContext) => Promise<number>;

/** Commands by name; `''` is the default. */
export type Commands = Readonly<Record<string, Command>>;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function onlyArgument({ args }: CommandContext, usage: string): string {
  const [argument] = args;
  if (argument === undefined || args.length !== 1) throw new UsageError(`usage: ${usage}`);
  return argument;
}

export function noArguments({ args }: CommandContext, usage: string): void {
  if (args.length > 0) throw new UsageError(`usage: ${usage}`);
}

/**
 * Runs the command given by the arguments and returns its exit code. A `UsageError` (2) or `ConfigError` (1) is printed
 * to stderr as a line that starts with the program's name. Other errors are bugs and are thrown.
 */
export async function runCommand(
  commands: Commands,
  [name = '', ...args]: readonly string[],
  context: Omit<CommandContext, 'args'>,
  program: string,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const { env, stdout, stderr } = context;
  try {
    if (command === undefined) throw new UsageError(`unknown command "${name}"; --help lists the commands`);
    return await command({ args, env, stdout, stderr });
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof UsageError)) throw error;
    stderr.write(`${program}: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

export function helpCommands(text: string, version: string) {
  const help = printCommand(text);
  const showVersion = printCommand(`${version}\n`);
  return { help, '--help': help, '-h': help, '--version': showVersion, '-v': showVersion } satisfies Commands;
}

function printCommand(text: string): Command {
  return async ({ stdout }) => {
    stdout.write(text);
    return 0;
  };
}
