import { randomUUID } from 'node:crypto';
import { allowsByTag, allowsSource, findBlocked, POLICY_ADVICE } from '../../app/access/page-policy.ts';
import { readField } from '../../app/text/read-field.ts';
import { type Finding, ok, problem, unknown } from './finding.ts';
import { type Fetched, hasIntegrity, readPage, type SitePage, tryFetch } from './page.ts';

/** Signs up an address with a page's form, like a visitor. */
export type SubmitForm = (page: URL, email: string) => Promise<Finding>;

export interface SiteCheckOptions {
  readonly site: URL;
  /** The server's URL in the settings. */
  readonly publicUrl: URL | null;
  readonly email: string;
  /** Signs up in a browser; null if there is none. */
  readonly submitForm: SubmitForm | null;
}

/**
 * Runs the checks from the page to a stored signup. Returns the server's URL, or null if the remaining checks are
 * impossible.
 */
export async function* checkSite(options: SiteCheckOptions): AsyncGenerator<Finding, URL | null> {
  const fetched = await tryFetch(options.site);
  if (typeof fetched === 'string' || fetched.status !== 200) {
    yield problem('page', describe(fetched), 'check the address; the page must be public');
    return null;
  }
  yield ok('page', `${fetched.url}`);
  const page = readPage(fetched);
  const server = page.embed?.url ?? options.publicUrl ?? page.url;
  yield* checkEmbed(page);
  const isAllowed = yield* checkOrigin(server, page.url);
  yield checkPolicy(page, server);
  if (!isAllowed) return server;
  yield* checkForm(options, server, page.url);
  return server;
}

async function* checkEmbed({ embed, url: page }: SitePage): AsyncGenerator<Finding> {
  if (embed === null)
    return yield unknown('embed script', 'the HTML names none: the page bundles the kit, or adds it later');
  const script = await tryFetch(embed.url, { headers: { origin: page.origin } });
  const isScript =
    typeof script !== 'string' && script.status === 200 && /javascript/.test(script.headers.get('content-type') ?? '');
  if (!isScript)
    return yield problem('embed script', `${embed.url}: ${describe(script)}`, 'copy the tag again from the README');
  if (embed.integrity === null) return yield ok('embed script', `${embed.url}`);
  if (!hasIntegrity(script.body, embed.integrity)) {
    const fix = 'copy the hash of this version from dist/script/embed.json of early-access-kit';
    return yield problem('embed script', 'its content does not match the hash in its integrity attribute', fix);
  }
  // A script with `integrity` from another origin needs CORS.
  const isReadable = embed.url.origin === page.origin || script.headers.has('access-control-allow-origin');
  yield isReadable
    ? ok('embed script', `${embed.url}, and its hash is right`)
    : problem('embed script', 'pages of other origins may not read it', 'serve it with Access-Control-Allow-Origin: *');
}

/** Sends an empty signup. A server that allows the origin rejects it as invalid. */
async function* checkOrigin(server: URL, { origin }: URL): AsyncGenerator<Finding, boolean> {
  const response = await sendPost(origin, new URL('/api/signups', server), {});
  const status = typeof response === 'string' ? null : response.status;
  if (status === 400) {
    yield ok('origin', `${origin} may use ${server.origin}`);
    return true;
  }
  yield status === 403
    ? problem('origin', `${server.origin} refuses pages of ${origin}`, `add ${origin} to ALLOWED_ORIGINS`)
    : problem(
        'origin',
        `${new URL('/api/signups', server)}: ${describe(response)}`,
        'set PUBLIC_URL to where the server is, and pass its path /api on to it',
      );
  return false;
}

function checkPolicy({ policies, embed, url, html }: SitePage, server: URL): Finding {
  if (policies.length === 0) return ok('policy', 'the page has no Content-Security-Policy');
  const scripts = ['script-src-elem', 'script-src', 'default-src'];
  if (embed && !allowsSource(policies, scripts, embed.url, url) && !allowsByTag(policies)) {
    const fix = `add ${embed.url.origin} to script-src`;
    return problem('policy', `the page’s policy blocks ${embed.url}`, fix);
  }
  if (!allowsSource(policies, ['connect-src', 'default-src'], new URL('/api/signups', server), url)) {
    const fix = `add ${server.origin} to connect-src`;
    return problem('policy', `the page’s policy blocks requests to ${server.origin}`, fix);
  }
  const blocked = findBlocked(html, policies, url);
  if (blocked.length === 0) return ok('policy', 'it allows the script and the requests');
  const fix = server.origin === url.origin ? POLICY_ADVICE : 'allow what the page needs in its policy';
  return problem('policy', `the page’s policy blocks parts of it: ${blocked.join(', ')}`, fix);
}

async function* checkForm({ email, submitForm }: SiteCheckOptions, server: URL, page: URL): AsyncGenerator<Finding> {
  if (submitForm) return yield await submitForm(page, email);
  const session = randomUUID();
  const started = await sendPost(page.origin, new URL('/api/sessions', server), {
    ...{ id: session, visitor_id: randomUUID(), session_start: Date.now(), referrer: null },
    ...{ user_agent: 'early-access-server check', device_type: 'desktop', browser: 'Unknown', os: 'Unknown' },
    ...{ is_returning_visitor: false, total_sessions: 1 },
  });
  yield typeof started !== 'string' && started.status === 204
    ? ok('session', 'the server accepts sessions')
    : problem('session', describe(started), 'see the server’s log for the same minute');
  const posted = await sendPost(page.origin, new URL('/api/signups', server), {
    ...{ email, session_id: session, source: 'check', referrer: null, submission_id: randomUUID() },
  });
  yield judgeSignup(posted);
}

export function judgeSignup(response: Pick<Fetched, 'status' | 'body'> | string): Finding {
  const status = typeof response === 'string' ? null : response.status;
  if (status === 200 || status === 201) return ok('form', 'a signup is accepted');
  const text = describe(response);
  if (/human/i.test(text)) return unknown('form', 'the server asks for a human check; sign up once yourself');
  const fix =
    status === 429
      ? 'wait an hour, or check from another network'
      : 'the message says what the page has to send; docs/fields.md of this package describes custom fields';
  return problem('form', text, fix);
}

function sendPost(origin: string, url: URL, body: object): Promise<Fetched | string> {
  return tryFetch(url, {
    method: 'POST',
    headers: { origin, 'content-type': 'text/plain' },
    body: JSON.stringify(body),
  });
}

/** Describes a response: its status, and the server's error message if there is one. */
export function describe(response: Pick<Fetched, 'status' | 'body'> | string): string {
  if (typeof response === 'string') return response;
  try {
    const message = readField(readField(JSON.parse(response.body.toString()), 'error'), 'message');
    return `status ${response.status}: ${message}`;
  } catch {
    return `status ${response.status}`;
  }
}
