import { randomInt, randomUUID } from 'node:crypto';
import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import { type CheckedHost, type PageOptions, startCheckedHost } from '../human/host.ts';
import { serveProviders } from '../human/providers.ts';
import { receiveToken } from '../support/links.ts';
import { ADMIN_EMAIL, expect, FAILED, test, toast } from '../support/test.ts';

const BROWSERS = rounds({ short: 3, long: 100 });
const LANES = 4;

/** Who uses a browser, and what the server counts of each. */
const VISITORS = ['person', 'human_missing', 'human_refused', 'human_replayed'] as const;
type Visitor = (typeof VISITORS)[number];

// A trace of each browser would take longer than its visit.
test.use({ trace: 'off', baseURL: undefined, extraHTTPHeaders: {}, expectedComplaints: [/403 \(Forbidden\)/] });

test('headless browsers sign up only with their own token, and the dashboard shows how many were refused and why', async ({
  browser,
}) => {
  test.setTimeout(HANGING_MS + BROWSERS * 15_000);
  const host = await startCheckedHost('turnstile');
  const { backend, verifier } = host;
  // Only the server itself remembers then which tokens were used.
  verifier.isForgetful = true;
  const chance = createChance('human check, browsers');
  const seen: Record<Visitor, number> = { person: 0, human_missing: 0, human_refused: 0, human_replayed: 0 };
  let usedToken = '';

  /** Signs up in a new browser. Returns the token that was sent. */
  async function visit(visitor: Visitor): Promise<string> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await serveProviders(page, verifier.issue);
    // Each is another client. The header is added in transit, because the page itself may not send it.
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    await page.route('**/api/signups', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'X-Forwarded-For': address } }),
    );
    await page.goto(await host.servePage(page, choosePage(visitor, usedToken)));
    const posted = page.waitForRequest('**/api/signups');
    const email = `${visitor}-${randomUUID()}@example.org`;
    const field = page.getByLabel('Email address').first();
    await field.fill(email);
    await field.press('Enter');
    await expect(visitor === 'person' ? page.getByText("You're on the list!") : toast(page, FAILED)).toBeVisible();
    seen[visitor] += 1;
    const { human_token } = (await posted).postDataJSON();
    await context.close();
    return String(human_token);
  }

  usedToken = await visit('person');
  let left = BROWSERS - 1;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      // Each kind of visitor comes, in the shortest run too.
      await visit(VISITORS[left < VISITORS.length ? left : chance.below(VISITORS.length)] ?? 'person');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  const { person, ...refused } = seen;
  expect(await backend.database.value('SELECT count(*) FROM email_signups')).toBe(person);
  expect(await backend.database.value("SELECT count(*) FROM email_signups WHERE email LIKE 'person-%'")).toBe(person);
  const cookie = await signedInCookie(host);
  await expect.poll(() => readCounts(host, cookie)).toMatchObject(refused);
  report('human check, browsers: persons and refused', JSON.stringify(seen));
  await host.close();
});

function choosePage(visitor: Visitor, usedToken: string): PageOptions {
  if (visitor === 'person') return {};
  if (visitor === 'human_missing') return { check: '' };
  return { check: 'given', token: visitor === 'human_replayed' ? usedToken : randomUUID() };
}

async function signedInCookie({ backend: { server, mailbox } }: CheckedHost): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(`${server.origin}/api/admin${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/sign-in', { email: ADMIN_EMAIL });
  const opened = await post('/session', { token: await receiveToken(mailbox, ADMIN_EMAIL, 'signIn') });
  return opened.headers.get('Set-Cookie')?.split(';', 1)[0] ?? '';
}

/** Returns the dashboard's counts of the last week. They are stored every ten seconds. */
async function readCounts({ backend: { server } }: CheckedHost, cookie: string): Promise<unknown> {
  const response = await fetch(`${server.origin}/api/admin/dashboard?range=7d&zone=UTC`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  });
  const { tallies }: { tallies?: unknown } = await response.json();
  return tallies;
}
