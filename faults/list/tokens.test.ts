import { randomBytes } from 'node:crypto';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { signupOf } from '@early-access-kit/testkit/records';
import { DEFAULT_RATE_LIMITS } from 'early-access-server';
import { readField } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { signIn } from '../support/admin.ts';
import { readFile } from '../support/audit.ts';
import { newClient, postAsNewClient } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { receiveToken } from '../support/links.ts';

/** The number of guesses per kind of link: half from one client, the others from a new client each. */
const GUESSES = rounds({ short: 300, long: 20_000 });
const AT_A_TIME = 50;
const KEY = 'k'.repeat(32);
const SETTINGS = { CONFIRM: 'on', INVITE_URL: 'https://product.example/join', INVITE_KEY: KEY };

const { confirmations, unsubscriptions, invites } = DEFAULT_RATE_LIMITS;
const LINKS = [
  {
    email: 'pending@example.org',
    route: 'confirm',
    before: '/confirm#token=',
    limit: confirmations,
    result: 'confirmed',
  },
  {
    email: 'leaving@example.org',
    route: 'unsubscribe',
    before: '/unsubscribe?token=',
    limit: unsubscriptions,
    result: 'unsubscribed',
  },
  { email: 'invited@example.org', route: 'invites/redeem', before: '#invite=', limit: invites, result: 'redeemed' },
] as const;

/** Two people whose signup is pending, and one who is invited. */
async function startList() {
  const deployment = await startDeployment(undefined, SETTINGS);
  const server = await deployment.serve();
  for (const email of ['pending@example.org', 'leaving@example.org'])
    expect((await postAsNewClient(`${server.origin}/api/signups`, signupOf({ email }))).status).toBe(201);
  const admin = await signIn(deployment, server);
  await (await admin.post('/import?dry-run=0', 'invited@example.org,fair\n', 'text/csv')).text();
  expect((await admin.post('/invites', { count: 1, after: null })).status).toBe(200);
  const post = async (route: string, token: string, client: string, key = KEY) => {
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': client, Authorization: `Bearer ${key}` };
    const init = { method: 'POST', headers, body: JSON.stringify({ token }) };
    const response = await fetch(`${server.origin}/api/${route}`, init);
    const { status } = response;
    const result = readField(await response.json(), 'result');
    return status === 429 ? `429, wait ${response.headers.has('retry-after')}` : `${status} ${result}`;
  };
  return { deployment, post };
}

const readStates = ({ file }: Deployment) =>
  readFile(file, (raw) => raw.prepare('SELECT email, state FROM email_signups ORDER BY email').all());

/** Returns a token that differs from the right one in one character, or completely. */
function wrongToken(right: string, index: number): string {
  if (index % 2 === 0) return randomBytes(32).toString('base64url');
  const at = index % right.length;
  return right.slice(0, at) + (right[at] === 'A' ? 'B' : 'A') + right.slice(at + 1);
}

/** Makes all guesses. Returns the number of each response. */
async function guess(guesses: number, attempt: (index: number) => Promise<string>): Promise<Map<string, number>> {
  const responses = new Map<string, number>();
  for (let first = 0; first < guesses; first += AT_A_TIME) {
    const batch = Array.from({ length: Math.min(AT_A_TIME, guesses - first) }, (_, index) => attempt(first + index));
    for (const response of await Promise.all(batch)) responses.set(response, (responses.get(response) ?? 0) + 1);
  }
  return responses;
}

it(`${GUESSES} guessed tokens confirm, unsubscribe and redeem nothing, and keep no one from using the right one`, async () => {
  const { deployment, post } = await startList();
  const rights = await Promise.all(LINKS.map(({ email, before }) => receiveToken(deployment.mailbox, email, before)));
  const states = readStates(deployment);
  for (const [kind, { route, limit, result }] of LINKS.entries()) {
    const right = rights[kind] ?? '';
    const [one, started] = [newClient(), performance.now()];
    const ofOne = await guess(GUESSES / 2, (index) => post(route, wrongToken(right, index), one));
    const minutes = (performance.now() - started) / 60_000;
    const ofMany = await guess(GUESSES / 2, (index) => post(route, wrongToken(right, index), newClient()));

    const lookedUp = ofOne.get('200 unknown') ?? 0;
    const limited = GUESSES / 2 - lookedUp;
    expect(lookedUp).toBeLessThanOrEqual(limit.burst + limit.perMinute * minutes + 1);
    expect(ofOne).toEqual(
      new Map([['200 unknown', lookedUp], ...(limited > 0 ? ([['429, wait true', limited]] as const) : [])]),
    );
    expect(ofMany).toEqual(new Map([['200 unknown', GUESSES / 2]]));
    expect(readStates(deployment)).toEqual(states);
    report(`tokens: guesses accepted, ${route}`, `0 of ${GUESSES}, ${limited} over the rate limit`);
    expect(await post(route, right, newClient())).toBe(`200 ${result}`);
    states.splice(0, states.length, ...readStates(deployment));
  }
});

it('a guessed key redeems nothing, and keeps no one from redeeming with the right key', async () => {
  const { deployment, post } = await startList();
  const token = await receiveToken(deployment.mailbox, 'invited@example.org', '#invite=');
  const responses = await guess(GUESSES, () =>
    post('invites/redeem', token, '10.255.0.1', randomBytes(24).toString('base64url')),
  );
  const refused = responses.get('401 undefined') ?? 0;
  expect(responses).toEqual(
    new Map([
      ['401 undefined', refused],
      ['429, wait true', GUESSES - refused],
    ]),
  );
  expect(await post('invites/redeem', token, '10.255.0.1')).toBe('200 redeemed');
  report('tokens: guessed keys accepted', `0 of ${GUESSES}, ${GUESSES - refused} over the rate limit`);
});
