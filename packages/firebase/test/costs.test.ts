import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sessionOf, updateOf } from '@early-access-kit/testkit/records';
import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { billedReads } from 'early-access-server/firestore';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { simulatedMonth } from '../src/month.ts';
import { ADMIN, harness, PROJECT, ROOT } from './harness.ts';

/** The guide computes its prices from the billed operations of each action. These tests count them on the fake. */
const GUIDE = readFileSync(path.join(ROOT, 'docs/deploy-firebase.md'), 'utf8');

interface Billed {
  readonly writes: number;
  readonly reads: number;
  readonly invocations: number;
}

const running = harness();

function visitor() {
  const { fake, functionsUrl } = running.local;
  const emulator = { firestore: fake.restUrl, functions: functionsUrl };
  return firestoreAdapter({ projectId: PROJECT, apiKey: 'demo-key', emulator });
}

async function billed(act: () => Promise<unknown>): Promise<Billed> {
  const { fake, functionsUrl } = running.local;
  fake.calls.reset();
  const requests = vi.spyOn(globalThis, 'fetch');
  try {
    await act();
    const { writes, documentReads, aggregationReads, deletes } = fake.calls;
    expect(deletes).toBe(0);
    const invocations = requests.mock.calls.filter(([url]) => String(url).startsWith(functionsUrl)).length;
    return { writes, reads: documentReads + aggregationReads, invocations };
  } finally {
    requests.mockRestore();
  }
}

/** The row of the guide's table for an action. */
function inTheGuide(what: string): Billed {
  const row = GUIDE.split('\n').find((line) => line.startsWith(`| ${what} `));
  const [writes = Number.NaN, reads = Number.NaN, invocations = Number.NaN] = (row ?? '')
    .split('|')
    .slice(2, 5)
    .map((cell) => Number(cell));
  return { writes, reads, invocations };
}

/** Signs up an address as the page does, and waits until its email is recorded as sent. */
async function signUp(email: string): Promise<void> {
  const signup = { email, session_id: null, source: 'landing_page', referrer: null };
  await visitor().createSignup({ ...signup, submission_id: crypto.randomUUID() });
  await mailed(email);
}

async function mailed(email: string): Promise<void> {
  const id = createHash('sha256').update(email).digest('hex');
  const { store } = running.local.fake;
  await vi.waitFor(() => expect(store.get(`mails/${id}`)?.fields?.state).toEqual({ stringValue: 'sent' }), {
    timeout: 15_000,
  });
}

describe('the guide’s table has the billed operations of', () => {
  beforeEach(() => running.local.fake.store.clear());

  it('a session: its start, an update when the page is hidden, its end', async () => {
    const start = sessionOf();
    const update = updateOf(start, { total_duration: 20, session_end: Date.now() });
    const session = await billed(async () => {
      const page = visitor();
      await page.startSession(start);
      await page.updateSession(start.id, update);
      await page.updateSession(start.id, { ...update, total_duration: 40 }, { final: true });
    });
    expect(session).toEqual(inTheGuide('a session'));
  });

  it('a signup with its email', async () => {
    const signup = await billed(async () => {
      await signUp('ada@example.org');
      await visitor().sendWelcomeEmail('ada@example.org');
    });
    expect(signup).toEqual(inTheGuide('a signup'));
  });

  it('an address that is already signed up', async () => {
    await signUp('ada@example.org');
    const signup = { email: 'ada@example.org', session_id: null, source: 'landing_page', referrer: null };
    const again = await billed(() => visitor().createSignup({ ...signup, submission_id: crypto.randomUUID() }));
    expect(again).toEqual(inTheGuide('a duplicate signup'));
  });

  it('an analytics summary, and another one within a minute', async () => {
    const summary = () => billed(() => visitor().readSummary(ADMIN));
    expect(await summary()).toEqual(inTheGuide('an analytics summary'));
    expect(await summary()).toEqual(inTheGuide('another summary within a minute'));
  });

  it('a sweep that finds nothing', async () => {
    const { functionsUrl } = running.local;
    const sweep = await billed(() =>
      fetch(`${functionsUrl}/${PROJECT}/us-central1/sweep-mails`, { method: 'POST', body: '{}' }),
    );
    expect(sweep).toEqual(inTheGuide('a sweep that finds nothing'));
  });
});

describe('the guide’s table has the billed operations of the dashboard:', () => {
  const post = (url: string, body: unknown) =>
    fetch(url, {
      method: 'POST',
      headers: { origin: running.local.origin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('a roll-up that finds nothing, before and after the first one', async () => {
    const { fake, functionsUrl } = running.local;
    const rollUp = () => billed(() => post(`${functionsUrl}/${PROJECT}/us-central1/roll-up-analytics`, {}));
    fake.store.clear();
    expect(await rollUp()).toEqual(inTheGuide('a roll-up that finds nothing'));
    await visitor().startSession(sessionOf());
    await rollUp();
    expect(await rollUp()).toEqual(inTheGuide('a roll-up that finds nothing'));
    await visitor().startSession(sessionOf());
    const { reads, ...others } = await rollUp();
    const { reads: documented, ...documentedOthers } = inTheGuide('a roll-up with new sessions');
    // The table has a row of its own for the session.
    expect([reads - 1, others]).toEqual([documented, documentedOthers]);
  });

  it('a request', async () => {
    const { origin, functionsUrl } = running.local;
    await post(`${origin}/api/admin/sign-in`, { email: ADMIN });
    const link = await vi.waitFor(() => running.mails.find(({ to }) => to === ADMIN) ?? expect.fail('no link yet'), {
      timeout: 10_000,
    });
    const token = /#token=([\w-]{43})/.exec(link.text)?.[1];
    const cookie = (await post(`${origin}/api/admin/session`, { token })).headers.get('set-cookie')?.split(';', 1)[0];
    const url = `${functionsUrl}/${PROJECT}/us-central1/admin/api/admin/session`;
    const request = await billed(() =>
      fetch(url, { headers: { cookie: String(cookie), 'x-forwarded-host': new URL(origin).host } }),
    );
    expect(request).toEqual(inTheGuide('a request of the dashboard'));
  });
});

describe('the guide’s month', () => {
  const [perSession, perSignup, perSummary, perSweep, perRollUp, withSessions, rolledUp] = [
    'a session',
    'a signup',
    'an analytics summary',
    'a sweep that finds nothing',
    'a roll-up that finds nothing',
    'a roll-up with new sessions',
    'a session or signup rolled up',
  ].map(inTheGuide);
  /** One every five minutes for thirty days. */
  const sweeps = 30 * 24 * 12;
  const summaries = 100;
  /** Two reads for the rate limit, and those of the queries, which grow with the number of sessions. */
  const readsPerSummary = [1_000, 1_000_000].map((visitors) => 2 + billedReads(simulatedMonth(visitors)));

  it.each([
    ['Firestore writes', 'writes'],
    ['Firestore reads', 'reads'],
    ['function invocations', 'invocations'],
  ] as const)('adds up its %s', (what, kind) => {
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| ${what} `)) ?? '';
    const documented = row
      .split('|')
      .slice(2, 4)
      .map((cell) => Number(cell.replaceAll(',', '')));
    const computed = [1_000, 1_000_000].map((visitors, column) => {
      const summary = kind === 'reads' ? readsPerSummary[column] : perSummary?.[kind];
      const of = (one: Billed | undefined) => one?.[kind] ?? Number.NaN;
      return (
        visitors * of(perSession) +
        visitors * 0.02 * of(perSignup) +
        sweeps * (of(perSweep) + of(perRollUp)) +
        Math.min(visitors, sweeps) * (of(withSessions) - of(perRollUp)) +
        visitors * 1.02 * of(rolledUp) +
        summaries * (summary ?? Number.NaN)
      );
    });
    expect(documented).toEqual(computed);
    if (kind === 'reads') expect(GUIDE).toContain(`a summary takes ${readsPerSummary[1]?.toLocaleString('en')} reads.`);
  });
});
