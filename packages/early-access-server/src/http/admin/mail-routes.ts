import { adviseAboutPause, explainDelivery } from '../../app/admin/explain-delivery.ts';
import { judgeComplaints } from '../../app/mail/complaints.ts';
import { nextAttemptAt } from '../../app/mail/mail-pause.ts';
import type { MessageKind } from '../../app/mail/message-kinds.ts';
import type { UnsentFilter, UnsentMail } from '../../app/mail/unsent-mail.ts';
import type { MailQueue, UnknownDecisionResult } from '../../app/ports/store.ts';
import { Failure } from '../routing/failure.ts';
import {
  type MailResponse,
  mailOverview,
  mailQuery,
  testMailResult,
  unknownDecision,
  unknownMail,
  unknownQuery,
} from '../routing/schemas/server.ts';
import { type AdminRouter, route } from './admin-route.ts';

const MAX_UNSENT = 100;

export function mailRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  unknownRoutes(router);
  route(router, {
    method: 'get',
    path: '/mail',
    summary: 'The mail queue.',
    query: mailQuery,
    response: mailOverview,
    respond: ({ query }) => readQueue(router, query.kind),
  });
  route(router, {
    method: 'post',
    path: '/mail/resume',
    summary: 'Attempts the next email of a paused mail queue now.',
    async respond({ caller }) {
      if (!(await store.mails.endPause())) return;
      context.wakeMail();
      await service.sessions.record(caller, 'resume-mail', 1);
    },
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

/** Routes for emails that may have been sent. The admin decides about each. */
function unknownRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'get',
    path: '/mail/unknown',
    summary: 'The emails whose outcome is unknown, with their recipients.',
    query: unknownQuery,
    response: unknownMail,
    respond: async ({ query }) => ({ messages: await firstUnsent(store.mails, { ...query, state: 'unknown' }) }),
  });
  route(router, {
    method: 'post',
    path: '/mail/unknown/:id',
    summary: 'Decides about an email whose outcome is unknown: it counts as sent, or is sent again.',
    details: 'A person who got it may get it twice if it is sent again. Left alone, it stays unknown.',
    body: unknownDecision,
    refusals: { 409: 'Its outcome is already known, or it cannot be sent again.' },
    async respond({ id, caller, body: { decision } }) {
      const result = await store.mails.decideUnknown(id, decision);
      if (result !== 'done') throw new Failure(409, 'invalid', WHY_NOT_DECIDED[result]);
      if (decision === 'again') context.wakeMail();
      await service.sessions.record(caller, `unknown-mail-${decision}`, 1);
    },
  });
}

const WHY_NOT_DECIDED: Readonly<Record<Exclude<UnknownDecisionResult, 'done'>, string>> = {
  known: 'the outcome of this email is already known; check it again',
  'not-wanted': 'this person may no longer receive this email: they have unsubscribed, bounced or were erased',
  cancelled: 'its campaign was canceled, so it is not sent again',
};

async function readQueue({ service, store: { mails } }: AdminRouter, kind?: MessageKind): Promise<MailResponse> {
  const [counts, waiting] = [await mails.counts(), await mails.waiting()];
  const [pause, trouble] = [await mails.pause(), await mails.trouble()];
  const complaints = await mails.complaints();
  const [dueAt, spentUntil] = [await mails.findNextDue(), await mails.quotaSpentUntil()];
  return {
    counts: {
      queued: counts.get('queued') ?? 0,
      sending: counts.get('sending') ?? 0,
      sent: counts.get('sent') ?? 0,
      failed: counts.get('failed') ?? 0,
      unknown: counts.get('unknown') ?? 0,
    },
    transport: service.mailTransport,
    quota: { per_hour: mails.mailsPerHour, spent_until: spentUntil },
    waiting,
    pause: pause && {
      since: pause.since,
      until: pause.until,
      refusals: pause.refusals,
      reason: pause.reason,
      advice: adviseAboutPause(pause.reason),
    },
    trouble: trouble && {
      kind: trouble.kind,
      since: trouble.since,
      reason: trouble.reason,
      advice: adviseAboutPause(trouble.reason),
    },
    complaints: { ...complaints, level: judgeComplaints(complaints) },
    next_due_at: dueAt === null ? null : nextAttemptAt(dueAt, { spentUntil, pause, trouble }),
    unsent: await firstUnsent(mails, { kind }),
  };
}

async function firstUnsent(mails: MailQueue, filter: UnsentFilter): Promise<UnsentMail[]> {
  const first: UnsentMail[] = [];
  for await (const mail of mails.unsent(filter)) {
    first.push(mail);
    if (first.length === MAX_UNSENT) break;
  }
  return first;
}
