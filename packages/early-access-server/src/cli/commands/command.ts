import type { Environment } from '../settings.ts';

/** What a command works with. */
export interface CommandContext {
  /** What stands after the command's name. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Runs to its end and answers with the exit code. */
export type Command = (context: CommandContext) => Promise<number>;

/** A command line that cannot be understood: exit code 2. */
export class UsageError extends Error {}

export function onlyArgument({ args }: CommandContext, usage: string): string {
  const [argument] = args;
  if (argument === undefined || args.length !== 1) throw new UsageError(`usage: ${usage}`);
  return argument;
}

export function noArguments({ args }: CommandContext, usage: string): void {
  if (args.length > 0) throw new UsageError(`usage: ${usage}`);
}
