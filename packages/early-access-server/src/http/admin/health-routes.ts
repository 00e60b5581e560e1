import type { HealthResponse } from '../../app/admin/admin-api.ts';
import { healthIssues } from '../../app/admin/health.ts';
import { reasonOf } from '../../app/ports.ts';
import { auditLog, auditQuery, health } from '../schemas/server.ts';
import type { AdminRouter } from './admin-context.ts';

/** How the server is doing, and what admins did. */
export function healthRoutes({ get, json, service, store }: AdminRouter): void {
  get('/health', { summary: 'How the server is doing, and what to fix.', responses: { 200: health } }, async () => {
    const { version, retention_days, limits_hit, ...mounting } = await service.health();
    const { mails } = store;
    const [facts, failure] = [await store.facts(), await failureOf(() => store.ping())];
    const { store: name, ...sizes } = facts;
    const response: HealthResponse = {
      version,
      store: name,
      ...sizes,
      retention_days: facts.retention_days ?? retention_days,
      limits_hit,
      issues: healthIssues({
        ...mounting,
        mail: {
          transport: service.mailTransport,
          counts: await mails.counts(),
          quota: { per_hour: mails.mailsPerHour, spent_until: await mails.quotaSpentUntil() },
        },
        facts,
        failure,
        now: service.clock(),
      }),
    };
    return json(response);
  });

  const audit = { summary: 'What admins did.', query: auditQuery, responses: { 200: auditLog } };
  get('/audit', audit, async ({ query }) => json({ entries: await store.admin.audit(query.limit) }));
}

async function failureOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
