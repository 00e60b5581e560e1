import type { HealthResponse } from '../../app/admin/admin-api.ts';
import { healthIssues } from '../../app/admin/health.ts';
import { reasonOf } from '../../app/log.ts';
import type { AdminRouter } from './admin-context.ts';
import { wholeNumberParam } from './admin-input.ts';

const AUDIT_ENTRIES = 200;

/** How the server is doing, and what admins did. */
export function healthRoutes({ get, json, service, store }: AdminRouter): void {
  get('/health', async () => {
    const { version, retention_days, limits_hit, ...mounting } = await service.health();
    const { mails } = store;
    const [facts, failure] = [await store.facts(), await failureOf(() => store.ping())];
    const { store: name, ...sizes } = facts;
    const response: HealthResponse = {
      version,
      store: name,
      ...sizes,
      retention_days,
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

  get('/audit', async (c) => {
    const limit = wholeNumberParam(c, 'limit', 1, 1_000) ?? AUDIT_ENTRIES;
    return json({ entries: await store.admin.audit(limit) });
  });
}

async function failureOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
