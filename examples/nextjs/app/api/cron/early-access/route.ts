import { hasBearer } from 'early-access-server';
import { earlyAccess } from '../../../../server/early-access';

/** Sends due emails on hosts without a long-running process. Vercel's cron jobs send CRON_SECRET automatically. */
export async function GET(request: Request) {
  if (!hasBearer(request, process.env.CRON_SECRET)) return new Response('Unauthorized\n', { status: 401 });
  await (await earlyAccess()).runJobs({ withinMs: 50_000 });
  return new Response(null, { status: 204 });
}
