import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { jsonLog } from '../../app/log.ts';
import { MAIL_STATES } from '../../app/mail/message.ts';
import { mailLine } from '../../app/mail/unsent-mail.ts';
import type { SqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import type { ResendResult } from '../../stores/store.ts';
import { readDataDir } from '../config.ts';
import { openExistingData } from '../data-folder.ts';
import { readMailsPerHour } from '../settings.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

const USAGE = 'mail, or mail resend <email>';

const ANSWERS: Readonly<Record<ResendResult, string>> = {
  queued: 'Queued. A running server sends it within seconds.',
  'being-sent': 'This mail is on its way right now; look again in a few minutes.',
  'not-signed-up': 'This address is not signed up.',
};

/** Shows what became of the welcome emails, or sends one once more because the owner says so. */
export const mail: Command = async (context) => {
  const [action, email, ...rest] = context.args;
  const resending = action === 'resend' && email !== undefined && rest.length === 0;
  if (action !== undefined && !resending) throw new UsageError(`usage: ${USAGE}`);
  if (email !== undefined && !isValidEmail(email)) throw new UsageError(`usage: ${USAGE}; that is no email address`);
  const options = { mailsPerHour: readMailsPerHour(context.env), log: jsonLog(context.stderr) };
  const store = openExistingData(readDataDir(context.env), options);
  try {
    return email === undefined ? list(store, context) : await resend(store, email, context);
  } finally {
    store.close();
  }
};

function list({ mails }: SqliteStore, { stdout }: CommandContext): number {
  const counts = mails.counts();
  for (const state of MAIL_STATES) stdout.write(`${state.padEnd(8)} ${counts.get(state) ?? 0}\n`);
  const spentUntil = mails.quotaSpentUntil();
  for (const mail of mails.unsent()) stdout.write(mailLine(mail, spentUntil));
  return 0;
}

async function resend({ mails }: SqliteStore, email: string, { stdout }: CommandContext): Promise<number> {
  const result = await mails.resend(normalizeEmail(email));
  stdout.write(`${ANSWERS[result]}\n`);
  return result === 'queued' ? 0 : 1;
}
