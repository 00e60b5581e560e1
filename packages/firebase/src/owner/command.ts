import type { FirestoreStore } from 'early-access-server/firestore';

/** What a command works with. */
export interface CommandContext {
  readonly store: FirestoreStore;
  /** What stands after the command's name. */
  readonly args: readonly string[];
  readonly stdout: NodeJS.WritableStream;
}

/** Runs to its end and answers with the exit code. */
export type Command = (context: CommandContext) => Promise<number>;

/** A command line that cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
