import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { adviseAboutPause } from '../app/admin/explain-delivery.ts';
import { MAIL_STATES } from '../app/mail/message-state.ts';
import { mailLine } from '../app/mail/unsent-mail.ts';
import { readConsents } from '../app/people/consent.ts';
import { EVERYONE } from '../app/people/people.ts';
import { fieldColumns, writeSignupsCsv } from '../app/people/signups-csv.ts';
import type { Awaitable } from '../app/ports/log.ts';
import type { ResendResult, Store } from '../app/ports/store.ts';
import type { Environment } from '../settings/setting.ts';
import { readFields } from '../settings/settings.ts';
import { type CommandContext, type Commands, noArguments, onlyArgument, UsageError } from './command.ts';
import { forget } from './forget.ts';
import { importPeople, parseImportArguments } from './import.ts';

/**
 * Determines what happens if there is no data. `existing` (default): throws a `ConfigError`, because a typo must not
 * create an empty store. `import`: creates it and prints where, because an import may be the first command. `trial`:
 * uses a temporary empty store.
 */
export type DataUse = 'existing' | 'import' | 'trial';

export interface DataSource {
  /** Opens the existing data. If there is none, see `DataUse`. */
  open(context: CommandContext, use?: DataUse): Awaitable<Store>;
  /** The folder with copies of sent emails, or null if none are written. */
  mailFolder(env: Environment): string | null;
}

export const ADMIN_COMMANDS_HELP = `\
  export                print everyone on the list as CSV
  forget <email>        erase a person: signup, email and session
  import <file>         add the people of a CSV to the list; --dry-run: only show what would happen; --welcome: send them the welcome email;
                        --column email=Name: what a column is; --value Status:inactive=unsubscribed: what a value means;
                        --dates day-first: how to read 3/4/2026; --problems <file>: write all lines with a problem
  mail                  show the emails by state, and those that wait or failed
  mail resend <email>   send the last email to a person again
`;
const FORGET_USAGE = 'forget <email>';
const MAIL_USAGE = 'mail, or mail resend <email>';

const RESEND_RESULTS: Readonly<Record<ResendResult, string>> = {
  queued: 'Queued. It will be sent within minutes.',
  'being-sent': 'This email is being sent right now; check again in a few minutes.',
  'not-signed-up': 'This address is not signed up.',
  unsubscribed: 'This person has unsubscribed and gets no more emails.',
  'no-email': 'This person has had no email, so there is none to send again.',
};

export function adminCommands(data: DataSource) {
  async function withStore(
    context: CommandContext,
    work: (store: Store) => Promise<number>,
    use: DataUse = 'existing',
  ): Promise<number> {
    const store = await data.open(context, use);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  return {
    async export(context: CommandContext) {
      noArguments(context, 'export');
      const fields = readFields(context.env);
      return withStore(context, async (store) => {
        const people = readConsents(store.people.all(EVERYONE), fields);
        await writeSignupsCsv(people, context.stdout, await fieldColumns(fields, store.people));
        return 0;
      });
    },

    async forget(context: CommandContext) {
      const email = onlyArgument(context, FORGET_USAGE);
      if (!isValidEmail(email)) throw new UsageError(`usage: ${FORGET_USAGE}, and "${email}" is not an email address`);
      return withStore(context, (store) => forget(normalizeEmail(email), store, data.mailFolder(context.env), context));
    },

    async import(context: CommandContext) {
      const options = parseImportArguments(context.args);
      const declarations = readFields(context.env);
      return withStore(
        context,
        (store) => importPeople({ ...context, ...options, store, declarations }),
        options.isDryRun ? 'trial' : 'import',
      );
    },

    async mail(context: CommandContext) {
      const [action, email, ...rest] = context.args;
      const isResend = action === 'resend' && email !== undefined && rest.length === 0;
      if (action !== undefined && !isResend) throw new UsageError(`usage: ${MAIL_USAGE}`);
      if (email !== undefined && !isValidEmail(email)) {
        throw new UsageError(`usage: ${MAIL_USAGE}; that is not an email address`);
      }
      return withStore(context, (store) =>
        email === undefined ? listMessages(store, context) : resend(store, email, context),
      );
    },
  } satisfies Commands;
}

async function listMessages({ mails }: Store, { stdout }: CommandContext): Promise<number> {
  const counts = await mails.counts();
  for (const state of MAIL_STATES) stdout.write(`${state.padEnd(8)} ${counts.get(state) ?? 0}\n`);
  const [spentUntil, pause] = [await mails.quotaSpentUntil(), await mails.pause()];
  if (pause !== null) {
    const until = new Date(pause.until).toISOString();
    stdout.write(`\npaused until ${until}, because the mail server refuses your emails. It said: ${pause.reason}\n`);
    stdout.write(`${adviseAboutPause(pause.reason)}\n\n`);
  }
  const trouble = await mails.trouble();
  if (trouble !== null) {
    const since = new Date(trouble.since).toISOString();
    const what =
      trouble.kind === 'unreachable'
        ? 'the mail server has been unreachable'
        : 'the mail server has refused recipients';
    stdout.write(`\n${what} since ${since}: ${trouble.reason}\n${adviseAboutPause(trouble.reason)}\n\n`);
  }
  for await (const message of mails.unsent()) stdout.write(mailLine(message, spentUntil));
  return 0;
}

async function resend({ mails }: Store, email: string, { stdout }: CommandContext): Promise<number> {
  const result = await mails.resend(normalizeEmail(email));
  stdout.write(`${RESEND_RESULTS[result]}\n`);
  return result === 'queued' ? 0 : 1;
}
