import { healthIssues } from '../../app/admin/health.ts';
import { nextAttemptAt } from '../../app/mail/mail-pause.ts';
import { describeError } from '../../app/ports/log.ts';
import { auditLog, auditQuery, type HealthResponse, health } from '../routing/schemas/server.ts';
import { type AdminRouter, route } from './admin-route.ts';

export function healthRoutes(router: AdminRouter): void {
  route(router, {
    method: 'get',
    path: '/health',
    summary: 'The state of the server, and what to fix.',
    response: health,
    respond: () => readHealth(router),
  });
  route(router, {
    method: 'get',
    path: '/audit',
    summary: 'The audit log of admins and API keys.',
    query: auditQuery,
    response: auditLog,
    respond: async ({ query }) => ({ entries: await router.store.admin.audit(query.limit) }),
  });
}

async function readHealth({ service, store }: AdminRouter): Promise<HealthResponse> {
  const [dueAt, spentUntil] = [await store.mails.findNextDue(), await store.mails.quotaSpentUntil()];
  const [pause, trouble] = [await store.mails.pause(), await store.mails.trouble()];
  const { version, retention_days, limits_hit, signups_refused, ...mounting } = await service.health();
  const { mails } = store;
  const facts = await store.facts();
  const failure = await (async () => store.ping())().then(() => null, describeError);
  const { store: name, ...sizes } = facts;
  return {
    version,
    store: name,
    ...sizes,
    retention_days: facts.retention_days ?? retention_days,
    limits_hit,
    signups_refused,
    issues: healthIssues({
      ...mounting,
      refusals: signups_refused,
      mail: {
        transport: service.mailTransport,
        counts: await mails.counts(),
        campaignCounts: await mails.counts('campaign'),
        quota: { per_hour: mails.mailsPerHour, spent_until: spentUntil },
        pause,
        trouble,
        complaints: await mails.complaints(),
        nextAttemptAt: dueAt === null ? null : nextAttemptAt(dueAt, { spentUntil, pause, trouble }),
      },
      webhooks: await store.webhooks.list(),
      facts,
      failure,
      countingFailure: await store.analytics.failure(),
      now: service.clock(),
    }),
  };
}
