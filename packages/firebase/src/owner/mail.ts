import { randomUUID } from 'node:crypto';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { mailLine } from 'early-access-server/app';
import { type DocumentSnapshot, FieldPath, type Firestore } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { quotaSpentUntil } from '../mails/hourly-budget.ts';
import { MAIL_STATES, newMail, readMail } from '../mails/record.ts';
import { signupId } from '../signups/signup-id.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

const USAGE = 'usage: mail, or mail resend <email>';
/** Firestore takes so many ids in a query. */
const PAGE = 30;

/** Shows what became of the welcome emails, or sends one once more because the owner says so. */
export const mail: Command = async (context) => {
  const [action, email, ...rest] = context.args;
  if (action === undefined) return list(context);
  if (action !== 'resend' || email === undefined || rest.length > 0) throw new UsageError(USAGE);
  if (!isValidEmail(email)) throw new UsageError(`${USAGE}; that is no email address`);
  return resend(context, normalizeEmail(email));
};

async function list({ firestore, stdout }: CommandContext): Promise<number> {
  const mails = firestore.collection(COLLECTIONS.mails);
  for (const state of MAIL_STATES) {
    const { count } = (await mails.where('state', '==', state).count().get()).data();
    stdout.write(`${state.padEnd(8)} ${count}\n`);
  }
  const spentUntil = await quotaSpentUntil(firestore, Date.now());
  let rest = mails
    .where(
      'state',
      'in',
      MAIL_STATES.filter((state) => state !== 'sent'),
    )
    .orderBy(FieldPath.documentId());
  for (;;) {
    const { docs } = await rest.limit(PAGE).get();
    for (const line of await describe(firestore, docs, spentUntil)) stdout.write(line);
    const last = docs.at(-1);
    if (last === undefined || docs.length < PAGE) return 0;
    rest = rest.startAfter(last);
  }
}

async function describe(
  firestore: Firestore,
  docs: readonly DocumentSnapshot[],
  spentUntil: number | null,
): Promise<string[]> {
  if (docs.length === 0) return [];
  const signups = await firestore.getAll(...docs.map(({ id }) => firestore.collection(COLLECTIONS.signups).doc(id)));
  return docs.map((doc, index) => {
    const { state, attempts, next_attempt_at, reason } = readMail(doc.data() ?? {});
    const email = String(signups[index]?.get('email') ?? '(erased)');
    return mailLine({ email, state, attempts, nextAttemptAt: next_attempt_at, reason }, spentUntil);
  });
}

/** Whatever came of it before: this is the owner's deliberate decision. */
async function resend({ firestore, stdout }: CommandContext, email: string): Promise<number> {
  const id = signupId(email);
  const ref = firestore.collection(COLLECTIONS.mails).doc(id);
  const refusal = await firestore.runTransaction(async (transaction) => {
    const [signup, kept] = await transaction.getAll(firestore.collection(COLLECTIONS.signups).doc(id), ref);
    if (!signup?.exists) return 'This address is not signed up.';
    const now = Date.now();
    const data = kept?.data();
    const record = data === undefined ? newMail(randomUUID(), now) : readMail(data);
    if (record.state === 'sending') return 'This mail is on its way right now; look again in a few minutes.';
    transaction.set(ref, {
      ...record,
      state: 'queued',
      attempts: 0,
      next_attempt_at: now,
      reason: null,
      changed_at: now,
    });
    return null;
  });
  stdout.write(`${refusal ?? 'Queued. The next sweep sends it within minutes.'}\n`);
  return refusal === null ? 0 : 1;
}
