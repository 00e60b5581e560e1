import { DEFAULT_BASE } from 'early-access-kit/internal';
import * as z from 'zod';
import { listUses } from '../../app/access/rate-limits.ts';
import { type ComplaintGuard, pauseForComplaints } from '../../app/campaigns/complaint-guard.ts';
import { type MailEventOptions, type MailReceiver, mailReceivers } from '../../app/mail-events/receivers.ts';
import type { Store } from '../../app/ports/store.ts';
import { Failure, JSON_HEADERS } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { type AppContext, identifyClient, type RouteContext, readText } from '../routing/request-context.ts';

/** Amazon SNS sends at most 256 KiB, and Brevo batches of 500 events. */
const MAX_REPORT_BYTES = 524_288;
/** Amazon SNS sends JSON as text/plain. */
const TYPES = ['application/json', 'text/plain'];

const report = z.unknown().describe('The report, as the provider writes it.');
const ROUTE = {
  method: 'post',
  path: `${DEFAULT_BASE}/mail-events/:provider`,
  access: 'public',
  summary: 'Receives reports of a mail provider: late bounces and complaints.',
  details: 'The response is the same whether or not an address is on the list.',
  bodies: Object.fromEntries(TYPES.map((type) => [type, report])),
  responses: { 200: null },
  refusals: {
    401: "The signature or the secret is not the provider's.",
    404: 'Reports of this provider are not accepted.',
  },
} as const;

/** Mounts the route that mail providers call, if one of them is enabled. */
export function mountMailEvents(
  context: RouteContext,
  list: Pick<Store['list'], 'changePerson'>,
  guard: ComplaintGuard,
  options: MailEventOptions,
): void {
  const { limiter, log, clock } = context;
  const receivers = mailReceivers(options);
  if (receivers.size === 0) return;

  async function readReport(c: AppContext, { receive }: MailReceiver) {
    const text = await readText(c, context, 'mailEvents', TYPES, MAX_REPORT_BYTES);
    return receive({ headers: c.req.raw.headers, text, now: clock() });
  }

  mountRoute(context, ROUTE, async (c) => {
    const provider = c.req.param('provider') ?? '';
    const receiver = receivers.get(provider);
    if (receiver === undefined) throw new Failure(404, 'invalid', 'reports of this provider are not accepted');
    // A secret in the headers is checked first, so that nobody can use up the limit of the provider's own calls. Other
    // requests take a token before any work, and genuine ones get it back.
    const isKnown = receiver.isSender?.(c.req.raw.headers);
    const wrong = isKnown ? [] : listUses('wrongMailEvents', identifyClient(c, context));
    await limiter.take(wrong);
    const genuine = isKnown === false ? null : await readReport(c, receiver);
    if (genuine === null) {
      log('warn', 'mail-event-refused', { provider, reason: 'its signature or its secret is wrong' });
      throw new Failure(401, 'forbidden', 'the signature or the secret is wrong');
    }
    await limiter.giveBack(wrong);
    const { events, token } = genuine;
    const once = token === null ? [] : [{ limit: 'mailEventTokens', key: token } as const];
    await limiter.take(once);
    try {
      await Promise.all(events.map((event) => list.changePerson(event.email, event.event, 'mail-server', event)));
      if (events.some(({ isComplaint }) => isComplaint)) await pauseForComplaints(guard);
    } catch (error) {
      await limiter.giveBack(once);
      throw error;
    }
    return new Response(null, { headers: { ...JSON_HEADERS, 'Content-Length': '0' } });
  });
}
