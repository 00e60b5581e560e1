import { type Command, type CommandContext, UsageError } from './command.ts';
import { exportSignups } from './export.ts';
import { forget } from './forget.ts';
import { mail } from './mail.ts';

export const HELP = `For the owner of the Firebase project:

  export               prints the sign-ups as CSV
  forget <email>       erases a person: the sign-up, its mail and the visit it was made in
  mail                 shows what became of the welcome emails
  mail resend <email>  sends a welcome email once more

Signs in with Google's default credentials (gcloud auth application-default login), to the project
that GOOGLE_CLOUD_PROJECT names.
`;

const COMMANDS = new Map<string, Command>([
  ['export', exportSignups],
  ['forget', forget],
  ['mail', mail],
]);

/** The command that the first argument names; undefined where it names none. */
export function commandOf(name: string | undefined): Command | undefined {
  return name === undefined ? undefined : COMMANDS.get(name);
}

/** Runs a command, and tells on `stderr` what is wrong with the command line. Answers the exit code. */
export async function runCommand(
  command: Command,
  context: CommandContext,
  stderr: NodeJS.WritableStream,
): Promise<number> {
  try {
    return await command(context);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`${error.message}\n`);
    return 2;
  }
}
