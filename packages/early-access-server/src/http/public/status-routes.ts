import { DEFAULT_BASE, normalizeEmail } from 'early-access-kit/internal';
import type * as z from 'zod';
import { hashToken, isToken, toUnsubscribeToken } from '../../app/access/secrets.ts';
import { mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { forgetPerson, type MailCopies } from '../../app/people/forget.ts';
import type { PersonRecord } from '../../app/people/people.ts';
import { exportPerson, readStatus } from '../../app/people/status.ts';
import type { Store } from '../../app/ports/store.ts';
import type { ShareOptions } from '../../app/share/describe-share.ts';
import { chooseLanguage } from '../pages/page.ts';
import { statusPage } from '../pages/status-page.ts';
import { parseJson } from '../routing/body.ts';
import { Failure, JSON_HEADERS, jsonResponse } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import type { RouteDescription } from '../routing/openapi/route.ts';
import { parseInput } from '../routing/openapi/schema.ts';
import { STATUS_PAGE } from '../routing/own-paths.ts';
import { type AppContext, type RouteContext, readText } from '../routing/request-context.ts';
import { addressChangeBody, erasure, linkBody, personData, personStatus } from '../routing/schemas/visitors.ts';
import { LINK_PAGE } from './link-redirects.ts';
import { shareReader } from './share-routes.ts';
import { addressFailure } from './visitor-routes.ts';

/** The same response whether the token was guessed, is no longer valid, or belongs to an erased person. */
const UNKNOWN = 'This link is not valid.';

interface StatusRoute<Body> extends RouteDescription {
  readonly body: z.ZodType<Body>;
}

interface StatusOptions {
  readonly store: Store;
  /** Null if no copies of emails are written. */
  readonly copies: MailCopies | null;
  /** Null: no share links. */
  readonly share: ShareOptions | null;
}

export function mountStatus(context: RouteContext, { store, copies, share }: StatusOptions): void {
  const { list, people } = store;

  /** Mounts a route for the person with the token. Throws a `Failure` if the token is invalid. */
  function mount<Body extends z.output<typeof linkBody>>(
    path: string,
    route: StatusRoute<Body>,
    respond: (person: PersonRecord, body: Body, c: AppContext) => Promise<Response>,
  ): void {
    const described = {
      ...route,
      method: 'post',
      path: DEFAULT_BASE + STATUS_PAGE + path,
      access: 'public',
      refusals: { 404: UNKNOWN, ...route.refusals },
    } as const;
    mountRoute(context, described, async (c) => {
      const body = parseInput(route.body, parseJson(await readText(c, context, 'statusPages', ['application/json'])));
      const id = isToken(body.token) ? await findOwner(body.token) : null;
      const person = id === null ? null : await people.find(id);
      if (person === null) throw new Failure(404, 'invalid', UNKNOWN);
      return respond(person, body, c);
    });
  }

  /**
   * Accepts the token of an email's status link, or of a used confirmation link. Unsubscribe tokens, which appear in
   * logs, are not accepted.
   */
  async function findOwner(token: string): Promise<string | null> {
    const owner = await list.findOwner(hashToken(toUnsubscribeToken(token)), 'unsubscribe');
    return owner ?? list.findOwner(hashToken(token), 'confirm');
  }

  const page = statusPage(context.brand, context.texts);
  mountRoute(
    context,
    { ...LINK_PAGE, path: STATUS_PAGE, summary: 'The private page of a person. Opening it changes nothing.' },
    (c) => {
      const language = chooseLanguage(null, c.req.header('accept-language'));
      return new Response(page.html(language, context.homeUrl), { headers: page.headers });
    },
  );

  const readLink = shareReader(context, store.share, share);
  mount(
    '',
    { summary: 'The state of the person.', body: linkBody, responses: { 200: personStatus } },
    async (person, _, c) => jsonResponse({ ...readStatus(person), ...(await readLink(person, c)) }),
  );

  mount(
    '/export',
    { summary: 'Everything that is stored about the person.', body: linkBody, responses: { 200: personData } },
    async (person) =>
      new Response(exportPerson(person, context.fields), {
        headers: { ...JSON_HEADERS, 'Content-Disposition': 'attachment; filename="my-data.json"' },
      }),
  );

  mount(
    '/address',
    {
      summary: 'Sends an email to another address, which becomes the person’s once its owner confirms it.',
      details: 'The response is the same if that address is on the list already.',
      body: addressChangeBody,
      responses: { 202: null },
      refusals: { 409: 'The person has unsubscribed.' },
    },
    async ({ id }, { email: entered }, c) => {
      const email = normalizeEmail(entered);
      await context.limiter.take([id, mailboxKey(email)].map((key) => ({ limit: 'addressChanges', key })));
      const problem = await context.checkAddress(email);
      if (problem !== null)
        throw addressFailure(problem, context.texts[chooseLanguage(null, c.req.header('accept-language'))]);
      const result = await list.correctAddress(id, email, 'person');
      if (result === 'unsubscribed') throw new Failure(409, 'invalid', 'You have unsubscribed, so you get no emails.');
      if (result === 'queued') context.wakeMail();
      return new Response(null, { status: 202, headers: { ...JSON_HEADERS, 'Content-Length': '0' } });
    },
  );

  mount(
    '/unsubscribe',
    { summary: 'Unsubscribes the person.', body: linkBody, responses: { 200: personStatus } },
    async (person, { token }) => {
      // A used confirmation link belongs to no campaign.
      if ((await list.unsubscribe(hashToken(toUnsubscribeToken(token)), 'person')) === 'unknown')
        await list.changePerson(normalizeEmail(person.email), 'unsubscribe', 'person');
      return jsonResponse({ ...readStatus(person), state: 'unsubscribed' });
    },
  );

  mount(
    '/erase',
    {
      summary: 'Erases the person and everything about them.',
      details: 'It may wait a few seconds for an email to them that is being sent.',
      body: linkBody,
      responses: { 200: erasure },
    },
    async ({ email }) => {
      const person = { store, email: normalizeEmail(email), copies };
      const forgotten = await forgetPerson({ ...person, evenWhileSending: false });
      if (forgotten === null) return jsonResponse({ result: 'being-sent' });
      return jsonResponse({ result: forgotten.traceless ? 'erased' : 'not-traceless' });
    },
  );
}
