import {
  type HumanVerifier,
  startHumanVerifier,
  VERIFIER_SECRET,
  type WidgetPage,
} from '@early-access-kit/testkit/human-verifier';
import { signupOf } from '@early-access-kit/testkit/records';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { englishSignupMessages as messages } from 'early-access-kit/internal';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { MAX_HUMAN_TOKEN_LENGTH, type VerifyHuman } from '../../app/human/human-check.ts';
import { ALLOWED_ORIGIN, type AppHarness, appHarness, UNLIMITED_RATE_LIMITS } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';
import { verifyProofOfWork } from '../../human/proof-of-work.ts';
import { verifyHcaptcha, verifyTurnstile } from '../../human/siteverify.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';

let verifier: HumanVerifier;
beforeAll(async () => {
  verifier = await startHumanVerifier();
});
beforeEach(() => {
  verifier.isDown = false;
  verifier.isForgetful = false;
});
afterAll(() => verifier.close());

interface CheckUnderTest {
  readonly name: string;
  create(secret?: string): VerifyHuman;
  /** A token of a person, made as a browser makes it. */
  token(harness: AppHarness): Promise<string>;
}

const CHECKS: readonly CheckUnderTest[] = [
  {
    name: 'turnstile',
    create: (secret = VERIFIER_SECRET) => verifyTurnstile({ secret, url: verifier.turnstileUrl }),
    token: async () => verifier.issue(),
  },
  {
    name: 'hcaptcha',
    create: (secret = VERIFIER_SECRET) => verifyHcaptcha({ secret, url: verifier.hcaptchaUrl }),
    token: async () => verifier.issue(),
  },
  { name: 'proof-of-work', create: () => verifyProofOfWork({ key: 'k'.repeat(32), work: 4 }), token: solvedChallenge },
];

const getChallenge = ({ get }: AppHarness, headers: Record<string, string> = {}) =>
  get('/api/human-challenge', { host: 'localhost:4173', ...headers });

const signUp = ({ post }: AppHarness, human_token: unknown) => post('/api/signups', { ...signupOf(), human_token });

async function solvedChallenge(harness: AppHarness): Promise<string> {
  const challenge = JSON.parse(await (await getChallenge(harness)).text());
  const solution = await solveChallenge({ challenge, deriveKey });
  return base64({ challenge, solution });
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

const withCheck = ({ create }: CheckUnderTest) =>
  appHarness({ verifyHuman: create(), rateLimits: UNLIMITED_RATE_LIMITS });

const readCode = async (response: Response): Promise<unknown> => JSON.parse(await response.text()).error.code;

describe.each(CHECKS)('a signup with the human check $name', (check) => {
  it('passes with a token, and again if its response was lost', async () => {
    const harness = withCheck(check);
    const signup = { ...signupOf(), human_token: await check.token(harness) };
    for (const _ of [1, 2]) expect((await harness.post('/api/signups', signup)).status).toBe(201);
    expect(readSignups(harness.raw)).toMatchObject([{ email: signup.email }]);
    expect(harness.tallies).toEqual([]);
  });

  it('is refused without a token', async () => {
    const noteRefusal = vi.fn();
    const harness = appHarness({ verifyHuman: check.create(), rateLimits: UNLIMITED_RATE_LIMITS, noteRefusal });
    for (const human_token of [undefined, null, '', 7, ['a']]) {
      const response = await signUp(harness, human_token);
      expect([response.status, await readCode(response)]).toEqual([403, 'forbidden']);
    }
    expect(harness.tallies).toEqual(Array.from({ length: 5 }, () => 'human_missing'));
    const problem = expect.stringMatching(/^human_token is missing: .*the form needs the human check/);
    expect(noteRefusal.mock.calls).toEqual(Array.from({ length: 5 }, () => ['human-check', problem]));
    expect(readSignups(harness.raw)).toEqual([]);
  });

  it('is refused with a token that is made up or too long', async () => {
    const harness = withCheck(check);
    const tokens = ['made-up', 'é'.repeat(9), base64({}), base64(null), 'a'.repeat(MAX_HUMAN_TOKEN_LENGTH + 1)];
    for (const human_token of tokens) {
      const response = await signUp(harness, human_token);
      expect([response.status, await readCode(response)]).toEqual([403, 'forbidden']);
    }
    expect(harness.tallies).toEqual(tokens.map(() => 'human_refused'));
    expect([readSignups(harness.raw), countTokens(harness)]).toEqual([[], 0]);
  });

  it('is refused 100 times of 100 with a used token, also if its verifier forgets', async () => {
    const harness = withCheck(check);
    verifier.isForgetful = true;
    const first = { ...signupOf(), human_token: await check.token(harness) };
    await harness.post('/api/signups', first);
    const replays = Array.from({ length: 100 }, (_, turn) =>
      // Another address with the id of the submission that had the token is another submission, too.
      harness.post('/api/signups', { ...first, ...(turn % 2 ? signupOf() : { email: `other-${turn}@x.io` }) }),
    );
    expect((await Promise.all(replays)).map(({ status }) => status)).toEqual(replays.map(() => 403));
    expect(harness.tallies).toEqual(replays.map(() => 'human_replayed'));
    expect(readSignups(harness.raw)).toHaveLength(1);
  });

  it('of a form without scripts is confirmed by email instead', async () => {
    const harness = withCheck(check);
    const response = await harness.post('/api/signup-form', new URLSearchParams({ email: 'me@example.org' }));
    const page = await response.text();
    expect(page).toContain('<h1>Check your inbox</h1>');
    expect(page).not.toContain(escapeHtml(messages.successTitle));
    expect(harness.raw.prepare('SELECT state FROM email_signups').all()).toEqual([{ state: 'pending' }]);
    expect(harness.raw.prepare('SELECT kind FROM mails').all()).toEqual([{ kind: 'confirmation' }]);
    expect(harness.tallies).toEqual([]);
  });
});

function countTokens({ raw }: AppHarness): unknown {
  return raw.prepare('SELECT count(*) AS tokens FROM human_tokens').get()?.tokens;
}

describe.each(CHECKS.slice(0, 2))('the verifier of $name', (check) => {
  it('refuses nobody while it cannot be reached, and a retry with the same token passes', async () => {
    const harness = withCheck(check);
    const signup = { ...signupOf(), human_token: await check.token(harness) };
    verifier.isDown = true;
    const response = await harness.post('/api/signups', signup);
    const { status, headers } = response;
    expect([status, headers.get('retry-after'), await readCode(response)]).toEqual([503, '5', 'unavailable']);
    expect(harness.tallies).toEqual(['human_unreachable']);
    verifier.isDown = false;
    expect((await harness.post('/api/signups', signup)).status).toBe(201);
  });

  it('is told the client and never twice a token that has passed', async () => {
    const harness = withCheck(check);
    const before = verifier.requests.length;
    const signup = { ...signupOf(), human_token: await check.token(harness) };
    for (const _ of [1, 2, 3]) await harness.post('/api/signups', signup, { client: '203.0.113.9' });
    const requests = verifier.requests.slice(before);
    expect(requests.map((form) => [form.get('response'), form.get('remoteip')])).toEqual([
      [signup.human_token, '203.0.113.9'],
    ]);
    expect(requests[0]?.get('idempotency_key')).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });

  it('that does not know the secret is a failure of the server, which the log names', async () => {
    const harness = appHarness({ verifyHuman: check.create('wrong') });
    const response = await signUp(harness, verifier.issue());
    expect(response.status).toBe(503);
    expect(harness.log).toContainEqual(
      expect.objectContaining({
        event: 'request-failed',
        fields: expect.objectContaining({ reason: expect.stringContaining('invalid-input-secret') }),
      }),
    );
    expect(JSON.stringify(await response.json())).not.toContain('secret');
  });
});

describe.each([
  ['turnstile', verifyTurnstile, () => verifier.turnstileUrl],
  ['hcaptcha', verifyHcaptcha, () => verifier.hcaptchaUrl],
] as const)('a token of %s', (_, create, url) => {
  const hostnames = ['www.acme.example', '*.shop.acme.example', 'xn--bcher-kva.example'];

  it.each([
    [true, 'www.acme.example'],
    [true, 'eu.shop.acme.example'],
    [true, 'bücher.example'],
    [false, 'acme.example'],
    [false, 'evil.example'],
    [false, 'www.acme.example.evil.example'],
    [false, 'a.b.shop.acme.example'],
    [false, 'evil.example/www.acme.example'],
    [false, ''],
    [false, undefined],
  ])('passes: %s, if its page was on %s', async (passes, hostname) => {
    const check = create({ secret: VERIFIER_SECRET, url: url(), hostnames });
    const token = verifier.issue(hostname === undefined ? {} : { hostname });
    expect(await check.verify(token, { clientAddress: undefined, submissionId: 'one' })).toBe(passes);
  });

  it('cannot be expected from what is no host name', () => {
    for (const hostname of ['https://www.acme.example', '*.example', 'a b', ''])
      expect(() => create({ secret: VERIFIER_SECRET, hostnames: [hostname] })).toThrow(ConfigError);
  });
});

describe('Turnstile', () => {
  it('passes a token of the declared action only', async () => {
    const check = verifyTurnstile({ secret: VERIFIER_SECRET, url: verifier.turnstileUrl, action: 'signup' });
    const verify = (page: WidgetPage) =>
      check.verify(verifier.issue(page), { clientAddress: undefined, submissionId: 'one' });
    expect(await verify({ action: 'signup' })).toBe(true);
    for (const page of [{ action: 'login' }, {}]) expect(await verify(page)).toBe(false);
  });

  it('passes a token again for the submission whose first response was lost', async () => {
    const check = verifyTurnstile({ secret: VERIFIER_SECRET, url: verifier.turnstileUrl });
    const token = verifier.issue();
    const verify = (submissionId: string) => check.verify(token, { clientAddress: undefined, submissionId });
    for (const _ of [1, 2]) expect(await verify('first-one')).toBe(true);
    expect(await verify('another-one')).toBe(false);
  });
});

describe('the proof of work', () => {
  const [, , check] = CHECKS;
  if (check === undefined) throw new Error('there is no such check');

  it('is the same token however its solution is written', async () => {
    const harness = withCheck(check);
    const token = await check.token(harness);
    await signUp(harness, token);
    const { challenge, solution } = JSON.parse(Buffer.from(token, 'base64').toString());
    const spellings = [
      base64({ solution, challenge }),
      base64({ challenge, solution: { ...solution, time: 1 } }),
      base64({ challenge: { ...challenge, more: 1 }, solution }),
      Buffer.from(JSON.stringify({ challenge, solution }, null, 2)).toString('base64'),
      token.replace(/=*$/, ''),
      `${token.slice(0, 8)}\n${token.slice(8)}`,
    ];
    for (const spelling of spellings) expect((await signUp(harness, spelling)).status).toBe(403);
    expect(harness.tallies).toEqual(spellings.map(() => 'human_replayed'));
  });

  it('is refused if it is of a changed challenge, of another key, or not done', async () => {
    const harness = withCheck(check);
    const { challenge, solution } = JSON.parse(Buffer.from(await check.token(harness), 'base64').toString());
    const { parameters } = challenge;
    const others = [
      { challenge: { ...challenge, parameters: { ...parameters, expiresAt: parameters.expiresAt + 1 } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, keyPrefix: '00' } }, solution },
      { challenge: { ...challenge, signature: 'a'.repeat(64) }, solution },
      { challenge: await verifyProofOfWork({ key: 'other'.repeat(8) }).challenge?.(), solution },
      { challenge, solution: { counter: 1, derivedKey: parameters.keyPrefix.padEnd(64, '0') } },
      { challenge, solution: {} },
    ];
    for (const other of others) expect((await signUp(harness, base64(other))).status).toBe(403);
    expect(harness.tallies).toEqual(others.map(() => 'human_refused'));
    expect((await signUp(harness, base64({ challenge, solution }))).status).toBe(201);
  });

  it('is refused once its challenge has expired', async () => {
    const harness = withCheck(check);
    const human_token = await check.token(harness);
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000 + 1_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await signUp(harness, human_token)).status).toBe(403);
    expect(harness.tallies).toEqual(['human_refused']);
  });

  it('gives each page a new challenge, also one of an allowed site', async () => {
    const harness = withCheck(check);
    const responses = await Promise.all([1, 2].map(() => getChallenge(harness, { origin: ALLOWED_ORIGIN })));
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(2);
    for (const { status, headers } of responses) {
      expect([status, headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
        200,
        'private, no-store',
        ALLOWED_ORIGIN,
      ]);
    }
    expect((await getChallenge(harness, { origin: 'https://stranger.example' })).status).toBe(403);
    expect(harness.app.handles('/api/human-challenge')).toBe(true);
  });

  it('limits the challenges of a client', async () => {
    const rateLimits = { humanChallenges: { burst: 1, perMinute: 1 } };
    const harness = appHarness({ verifyHuman: check.create(), rateLimits });
    expect((await getChallenge(harness)).status).toBe(200);
    expect((await getChallenge(harness)).status).toBe(429);
  });
});

it('checks without a secret fail at the start', () => {
  for (const create of [verifyTurnstile, verifyHcaptcha]) expect(() => create({ secret: '' })).toThrow(ConfigError);
  expect(() => verifyProofOfWork({ key: 'k'.repeat(31) })).toThrow('at least 32 characters');
});

it('without a human check a token is ignored, and there are no challenges', async () => {
  const harness = appHarness();
  expect((await signUp(harness, 'anything')).status).toBe(201);
  expect((await getChallenge(harness)).status).toBe(404);
});
