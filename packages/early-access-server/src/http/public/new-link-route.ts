import { DEFAULT_BASE, normalizeEmail } from 'early-access-kit/internal';
import { pause } from '../../app/jobs/background.ts';
import { mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { listNewLinks } from '../../app/mail/message-kinds.ts';
import type { ListStore } from '../../app/ports/list-store.ts';
import { parseJson } from '../routing/body.ts';
import { JSON_HEADERS } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { parseInput } from '../routing/openapi/schema.ts';
import { type RouteContext, readText } from '../routing/request-context.ts';
import { newLinkBody } from '../routing/schemas/visitors.ts';

const NEW_LINK = {
  method: 'post',
  path: `${DEFAULT_BASE}/links`,
  summary: 'Sends a new link to an address, for a link of an email that has lost its token.',
  details: 'The same response for any address. No email is sent to an address that such a link would not be for.',
  access: 'public',
  body: newLinkBody,
  responses: { 202: null },
} as const;

/**
 * Mounts the route that the forms of `newLinkForm` post to. Neither the response nor its timing depends on whether the
 * address is on the list.
 */
export function mountNewLinks(context: RouteContext, list: ListStore): void {
  const { limiter, statusPage, newLinkMs } = context;
  mountRoute(context, NEW_LINK, async (c) => {
    const body = parseJson(await readText(c, context, 'newLinks', ['application/json']));
    const { email: entered, page } = parseInput(newLinkBody, body);
    const email = normalizeEmail(entered);
    await limiter.take([{ limit: 'newLinksPerMailbox', key: mailboxKey(email) }]);
    const requested = list.requestLink(email, listNewLinks(page, statusPage));
    const [isQueued] = await Promise.all([requested, pause(newLinkMs)]);
    if (isQueued) context.wakeMail();
    return new Response(null, { status: 202, headers: { ...JSON_HEADERS, 'Content-Length': '0' } });
  });
}
