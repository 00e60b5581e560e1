import { randomUUID } from 'node:crypto';
import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { type HumanVerifier, startHumanVerifier, VERIFIER_SECRET } from '@early-access-kit/testkit/human-verifier';
import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it, onTestFinished } from 'vitest';
import { readFile } from '../support/audit.ts';
import { postAsNewClient } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';

const SIGNUPS = rounds({ short: 500, long: 10_000 });
const REPLAYS = 100;
const AT_A_TIME = 50;
const ADMIN = 'admin@example.com';

/** The possible outcomes of a generated signup. */
const ENDS = ['passed', 'human_missing', 'human_refused', 'human_replayed', 'human_unreachable'] as const;
type End = (typeof ENDS)[number];
const STATUS = {
  passed: 201,
  human_missing: 403,
  human_refused: 403,
  human_replayed: 403,
  human_unreachable: 503,
} as const satisfies Record<End, number>;

/** Returns a token for this outcome. `used` are tokens of successful signups. */
function chooseToken(end: End, verifier: HumanVerifier, used: readonly string[], turn: number): string | undefined {
  switch (end) {
    case 'passed':
    case 'human_unreachable':
      return verifier.issue({ hostname: 'www.example.com' });
    case 'human_missing':
      return undefined;
    case 'human_refused':
      return randomUUID();
    case 'human_replayed':
      return used[turn % used.length];
  }
}

async function postSignup(origin: string, body: unknown): Promise<number> {
  const response = await postAsNewClient(`${origin}/api/signups`, body);
  await response.arrayBuffer();
  return response.status;
}

/** Signs in to the dashboard by the emailed link, and returns the tallies of the last week. */
async function readTallies(origin: string, { mailbox }: Deployment): Promise<unknown> {
  const post = (path: string, body: unknown) =>
    fetch(`${origin}/api/admin${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
      body: JSON.stringify(body),
    });
  await post('/sign-in', { email: ADMIN });
  const { text = '' } = await mailbox.waitForMail(ADMIN);
  const opened = await post('/session', { token: /#token=([\w-]{43})/.exec(text)?.[1] });
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const shown = await fetch(`${origin}/api/admin/dashboard?range=7d&zone=UTC`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '198.51.100.1' },
  });
  return JSON.parse(await shown.text()).tallies;
}

it('accepts generated signups only with their own token, and the dashboard shows how many it refused and why', async () => {
  const verifier = await startHumanVerifier();
  onTestFinished(verifier.close);
  // The verifier accepts used tokens again, so the server itself must reject them.
  verifier.isForgetful = true;
  const deployment = await startDeployment(
    {},
    {
      SITE_DIR: 'none',
      WELCOME_EMAIL: 'off',
      HUMAN_CHECK: 'turnstile',
      HUMAN_CHECK_SECRET: VERIFIER_SECRET,
      HUMAN_CHECK_URL: verifier.turnstileUrl,
    },
  );
  const server = await deployment.serve();
  const chance = createChance('abuse, human check');
  const expected = { passed: 0, human_missing: 0, human_refused: 0, human_replayed: 0, human_unreachable: 0 };
  const used: string[] = [];

  async function signUp(end: End, turn: number): Promise<void> {
    const human_token = chooseToken(end, verifier, used, turn);
    expect([end, await postSignup(server.origin, { ...signupOf(), human_token })]).toEqual([end, STATUS[end]]);
    expected[end] += 1;
    if (end === 'passed' && human_token !== undefined) used.push(human_token);
  }

  /** Sends `count` signups, several at a time. `choose` decides their outcomes. */
  async function signUps(count: number, choose: () => End): Promise<void> {
    let turn = 0;
    const client = async () => {
      while (turn < count) {
        turn += 1;
        await signUp(choose(), turn);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, client));
  }

  await signUp('passed', 0);
  await signUps(REPLAYS - 1, () => 'human_replayed');
  await signUp('human_replayed', 0);
  expect(expected).toMatchObject({ passed: 1, human_replayed: REPLAYS });

  const reachable = ENDS.filter((end) => end !== 'human_unreachable');
  const started = performance.now();
  await signUps(Math.round(SIGNUPS * 0.98), () => reachable[chance.below(reachable.length)] ?? 'human_missing');
  report('abuse, human check: signups a second', (SIGNUPS / ((performance.now() - started) / 1_000)).toFixed(0));
  verifier.isDown = true;
  await signUps(Math.round(SIGNUPS * 0.02), () => 'human_unreachable');
  verifier.isDown = false;
  await signUp('passed', 0);

  // The server stores the last counts when it stops.
  await server.stop();
  await server.start();
  const { passed, ...refused } = expected;
  report('abuse, human check: passed and refused', JSON.stringify(expected));
  expect(await readTallies(server.origin, deployment)).toEqual({ robots: 0, imported: 0, ...refused });
  const [stored] = readFile(deployment.file, (raw) =>
    raw.prepare('SELECT count(*) AS signups FROM email_signups').all(),
  );
  expect(stored).toEqual({ signups: passed });
});
