import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { MAIL_STATES, mailLine } from 'early-access-server/app';
import { type Command, type CommandContext, UsageError } from './command.ts';

const USAGE = 'usage: mail, or mail resend <email>';

const RESULTS = {
  queued: 'Queued. The next sweep sends it within minutes.',
  'being-sent': 'This mail is on its way right now; look again in a few minutes.',
  'not-signed-up': 'This address is not signed up.',
};

/** Shows what became of the welcome emails, or sends one once more because the admin says so. */
export const mail: Command = async (context) => {
  const [action, email, ...rest] = context.args;
  if (action === undefined) return list(context);
  if (action !== 'resend' || email === undefined || rest.length > 0) throw new UsageError(USAGE);
  if (!isValidEmail(email)) throw new UsageError(`${USAGE}; that is no email address`);
  const result = await context.store.mails.resend(normalizeEmail(email));
  context.stdout.write(`${RESULTS[result]}\n`);
  return result === 'queued' ? 0 : 1;
};

async function list({ store: { mails }, stdout }: CommandContext): Promise<number> {
  const counts = await mails.counts();
  for (const state of MAIL_STATES) stdout.write(`${state.padEnd(8)} ${counts.get(state) ?? 0}\n`);
  const spentUntil = await mails.quotaSpentUntil();
  for await (const message of mails.unsent()) stdout.write(mailLine(message, spentUntil));
  return 0;
}
