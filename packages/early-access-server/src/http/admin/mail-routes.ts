import type { MailResponse, TestMailResponse } from '../../app/admin/admin-api.ts';
import { explainDelivery } from '../../app/admin/explain-delivery.ts';
import type { UnsentMail } from '../../app/mail/unsent-mail.ts';
import type { MailQueue } from '../../stores/store.ts';
import { Failure } from '../failure.ts';
import { mailOverview, testMailResult } from '../schemas/server.ts';
import type { AdminRouter } from './admin-context.ts';

const MAX_UNSENT = 100;

/** The mail queue, and a test of the mail server. */
export function mailRoutes({ get, post, json, service, store, context }: AdminRouter): void {
  get('/mail', { summary: 'The mail queue.', responses: { 200: mailOverview } }, async () => {
    const { mails } = store;
    const counts = await mails.counts();
    const response: MailResponse = {
      counts: {
        queued: counts.get('queued') ?? 0,
        sending: counts.get('sending') ?? 0,
        sent: counts.get('sent') ?? 0,
        failed: counts.get('failed') ?? 0,
        unknown: counts.get('unknown') ?? 0,
      },
      transport: service.mailTransport,
      quota: { per_hour: mails.mailsPerHour, spent_until: await mails.quotaSpentUntil() },
      next_due_at: await mails.nextDueAt(),
      unsent: await firstUnsent(mails),
    };
    return json(response);
  });

  const test = {
    summary: 'Sends a test email to the admin, and waits for the mail server.',
    responses: { 200: testMailResult },
    refusals: { 400: 'No emails are sent.' },
  };
  post('/mail/test', test, async ({ session }) => {
    await context.limiter.take([{ limit: 'testMails', key: 'all' }]);
    const { sendTestMail, sessions } = service;
    if (sendTestMail === null)
      throw new Failure(400, 'invalid', 'no emails are sent: this application has no mail server');
    await sessions.record(session, 'test-mail', 1);
    const result = await sendTestMail(session.email);
    const explanation = explainDelivery(result, service.mailTransport === 'files');
    const response: TestMailResponse = { outcome: result.outcome, explanation };
    return json(response);
  });
}

async function firstUnsent(mails: MailQueue): Promise<UnsentMail[]> {
  const first: UnsentMail[] = [];
  for await (const mail of mails.unsent()) {
    first.push(mail);
    if (first.length === MAX_UNSENT) break;
  }
  return first;
}
