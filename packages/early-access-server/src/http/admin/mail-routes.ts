import { explainDelivery } from '../../app/admin/explain-delivery.ts';
import type { UnsentMail } from '../../app/mail/unsent-mail.ts';
import type { MailQueue } from '../../app/ports/store.ts';
import { Failure } from '../server/failure.ts';
import { type MailResponse, mailOverview, testMailResult } from '../server/schemas/server.ts';
import { type AdminRouter, route } from './admin-route.ts';

const MAX_UNSENT = 100;

/** The mail queue, and a test of the mail server. */
export function mailRoutes(router: AdminRouter): void {
  const { service, context } = router;
  route(router, {
    method: 'get',
    path: '/mail',
    summary: 'The mail queue.',
    response: mailOverview,
    respond: () => readQueue(router),
  });
  route(router, {
    method: 'post',
    path: '/mail/test',
    summary: 'Sends a test email to the admin, and waits for the mail server.',
    response: testMailResult,
    refusals: { 400: 'No emails are sent.' },
    async respond({ caller }) {
      await context.limiter.take([{ limit: 'testMails', key: 'all' }]);
      const { sendTestMail, sessions } = service;
      if (sendTestMail === null)
        throw new Failure(400, 'invalid', 'no emails are sent: this application has no mail server');
      await sessions.record(caller, 'test-mail', 1);
      const result = await sendTestMail(caller.email);
      return { outcome: result.outcome, explanation: explainDelivery(result, service.mailTransport === 'files') };
    },
  });
}

async function readQueue({ service, store: { mails } }: AdminRouter): Promise<MailResponse> {
  const counts = await mails.counts();
  return {
    counts: {
      queued: counts.get('queued') ?? 0,
      sending: counts.get('sending') ?? 0,
      sent: counts.get('sent') ?? 0,
      failed: counts.get('failed') ?? 0,
      unknown: counts.get('unknown') ?? 0,
    },
    transport: service.mailTransport,
    quota: { per_hour: mails.mailsPerHour, spent_until: await mails.quotaSpentUntil() },
    next_due_at: await mails.findNextDue(),
    unsent: await firstUnsent(mails),
  };
}

async function firstUnsent(mails: MailQueue): Promise<UnsentMail[]> {
  const first: UnsentMail[] = [];
  for await (const mail of mails.unsent()) {
    first.push(mail);
    if (first.length === MAX_UNSENT) break;
  }
  return first;
}
