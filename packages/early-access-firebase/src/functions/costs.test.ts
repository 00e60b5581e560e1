import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sessionOf, updateOf } from '@early-access-kit/testkit/records';
import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { sha256 } from 'early-access-server/stores';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { firestoreStore } from '../firestore/firestore-store.ts';
import { ask, signIn } from '../fixtures/admin-session.ts';
import { billedReads, dashboardReads, type SummaryScale } from '../fixtures/billed-reads.ts';
import { ADMIN, harness, PROJECT } from '../fixtures/harness.ts';

/** The guide computes its prices from the billed operations of each action. These tests count them. */
const GUIDE = readFileSync(path.join(import.meta.dirname, '../../../../docs/deploy-firebase.md'), 'utf8');
const RULES = readFileSync(path.join(import.meta.dirname, '../../firestore.rules'), 'utf8');

/** A month with this many sessions, in the proportions of a landing page: half bounce, one in ten has no duration. */
function simulatedMonth(sessions: number): SummaryScale {
  return {
    sessions,
    bounces: Math.round(sessions / 2),
    untimed: Math.round(sessions / 10),
    visitors: Math.round(sessions * 0.7),
    signups: Math.round(sessions / 50),
  };
}

interface Billed {
  readonly writes: number;
  readonly reads: number;
  readonly invocations: number;
}

const b = harness();
beforeEach(async () => {
  await b.database.setRules(RULES);
  b.clock.now = Date.now();
});

function visitor() {
  const emulator = { firestore: b.database.proxy.restUrl, functions: b.functions.url };
  return firestoreAdapter({ projectId: PROJECT, apiKey: 'demo-key', emulator });
}

/** `byRules` are the documents that rules look up with `exists` and `get`, of which no engine here tells. */
async function billed(act: () => Promise<unknown>, byRules = 0): Promise<Billed> {
  b.database.calls.reset();
  const requests = vi.spyOn(globalThis, 'fetch');
  try {
    await act();
    const { writes, documentReads, aggregationReads, deletes } = b.database.calls;
    expect(deletes).toBe(0);
    const invocations = requests.mock.calls.filter(([url]) => String(url).startsWith(b.functions.url)).length;
    return { writes, reads: documentReads + aggregationReads + byRules, invocations };
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

/** Signs up an address as the page does, and delivers the event that sends its email. */
async function signUp(email: string): Promise<void> {
  const signup = { email, session_id: null, source: 'landing_page', referrer: null };
  await visitor().createSignup({ ...signup, submission_id: crypto.randomUUID() });
  await b.deliver(signupId(email));
}

describe('the guide’s table has the billed operations of', () => {
  it('a session: its start, an update when the page is hidden, its end', async () => {
    const start = sessionOf();
    const update = updateOf(start, { total_duration: 20, session_end: Date.now() });
    const session = await billed(async () => {
      const page = visitor();
      await page.startSession(start);
      await page.updateSession(start.id, update);
      await page.updateSession(start.id, { ...update, total_duration: 40 }, { final: true });
    }, 1);
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
    const again = await billed(() => visitor().createSignup({ ...signup, submission_id: crypto.randomUUID() }), 3);
    expect(again).toEqual(inTheGuide('a duplicate signup'));
  });

  it('an analytics summary, and another one within a minute', async () => {
    const summary = () => billed(() => visitor().readSummary(ADMIN));
    expect(await summary()).toEqual(inTheGuide('an analytics summary'));
    expect(await summary()).toEqual(inTheGuide('another summary within a minute'));
  });

  it('a sweep that finds nothing', async () => {
    expect(await billed(b.sweep)).toEqual(inTheGuide('a sweep that finds nothing'));
  });
});

describe('the guide’s table has the billed operations of the dashboard:', () => {
  it('a roll-up that finds nothing, before and after the first one', async () => {
    const rollUp = () => {
      b.clock.now = Date.now();
      return billed(() => fetch(b.functions.functionUrl('roll-up-analytics'), { method: 'POST' }));
    };
    expect(await rollUp()).toEqual(inTheGuide('a roll-up that finds nothing'));
    await visitor().startSession(sessionOf());
    await rollUp();
    expect(await rollUp()).toEqual(inTheGuide('a roll-up that finds nothing'));
    await visitor().startSession(sessionOf());
    const { reads, ...others } = await rollUp();
    const { reads: documented, ...documentedOthers } = inTheGuide('a roll-up with new sessions');
    // The table lists the session in another row.
    expect([reads - 1, others]).toEqual([documented, documentedOthers]);
  });

  it('a request, and a page of the people list', async () => {
    const cookie = await signIn(b);
    const request = await billed(() => ask(b, '/api/admin/session', { cookie }));
    expect(request).toEqual(inTheGuide('a request of the dashboard'));
    const list = Array.from({ length: 60 }, (_, n) => ({ email: `p${n}@x.io`, source: 'import', created_at: 1 }));
    await b.store.list.importPeople(
      list.map((person) => ({ ...person, state: 'subscribed' })),
      { welcome: true },
    );
    const page = await billed(async () => expect((await ask(b, '/api/admin/people', { cookie })).status).toBe(200));
    expect(page).toEqual(inTheGuide('a page of 50 people'));
  });
});

it('the guide’s table has the billed operations of a person of a launch', async () => {
  const [people, more] = [150, 300];
  const launch = async (count: number) => {
    const store = firestoreStore({ firestore: b.db, clock: () => b.clock.now, mailsPerHour: 100_000 });
    const list = Array.from({ length: count }, (_, n) => ({
      email: `p@x${count}-${n}.io`,
      source: `of-${count}`,
      created_at: 1,
    }));
    await store.list.importPeople(
      list.map((person) => ({ ...person, state: 'subscribed' })),
      { welcome: false },
    );
    const audience = { states: ['subscribed'], source: `of-${count}` } as const;
    const { id } = await store.campaigns.create({ subject: 'We are live', body: 'Hello', audience });
    return billed(async () => {
      await store.campaigns.change(id, 'sending');
      await store.campaigns.feed();
      const due = store.mails.due();
      for (let claim = await due.claimNext(); claim !== 'nothing'; claim = await due.claimNext()) {
        if (typeof claim === 'object') await store.mails.recordOutcome(claim, { state: 'sent' });
      }
      expect(await store.campaigns.find(id)).toMatchObject({ sent: count });
    });
  };
  const [one, two] = [await launch(people), await launch(more)];
  // Messages are counted in batches, so each has a part of a write.
  const perPerson = (kind: 'writes' | 'reads') => Math.round(((two[kind] - one[kind]) * 10) / (more - people)) / 10;
  expect({ writes: perPerson('writes'), reads: perPerson('reads'), invocations: 0 }).toEqual(
    inTheGuide('an email of a launch'),
  );
});

it('the guide’s table has the billed operations of a confirmation', async () => {
  const store = firestoreStore({ firestore: b.db, clock: () => b.clock.now, confirm: true });
  const signup = { email: 'ada@example.org', session_id: null, source: 'landing_page', referrer: null };
  await store.createSignup({ ...signup, submission_id: crypto.randomUUID() });
  const claim = await store.mails.claim(signupId('ada@example.org'));
  if (typeof claim === 'string') throw new Error(claim);
  await store.mails.recordOutcome(claim, { state: 'sent' });
  const hash = sha256(claim.tokens.link ?? '');
  const confirmation = await billed(async () => expect(await store.list.confirm(hash, null)).toBe('confirmed'));
  expect(confirmation).toEqual(inTheGuide('a confirmation'));
});

it('the guide has the reads of a view of the dashboard', () => {
  expect(GUIDE).toContain(`at most ${dashboardReads(1_000_000)} reads at a million sessions`);
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
  /** Two reads for the rate limit, and the reads of the queries, which grow with the number of sessions. */
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
