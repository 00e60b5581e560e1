import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sessionOf, updateOf } from '@early-access-kit/testkit/records';
import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { EmailSignup } from 'early-access-kit/core';
import { DAY_MS } from 'early-access-kit/internal';
import { EVERYONE } from 'early-access-server/fixtures';
import { type ClaimedMessage, MAX_SHARED_PER_NETWORK, sha256 } from 'early-access-server/internal';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { firestoreStore } from '../firestore/firestore-store.ts';
import { ask, signIn } from '../fixtures/admin-session.ts';
import { billedReads, type SummaryScale } from '../fixtures/billed-reads.ts';
import { ADMIN, harness, PROJECT } from '../fixtures/harness.ts';

const DOCS = path.join(import.meta.dirname, '../../../../docs');
const readWords = (page: string) => readFileSync(path.join(DOCS, page), 'utf8').replaceAll(/\s+/g, ' ');
const RULES = readFileSync(path.join(import.meta.dirname, '../../firestore.rules'), 'utf8');

/** A month with this many sessions, in the proportions of a landing page: half bounce, 10% have no duration. */
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

const bill = (writes: number, reads: number, invocations: number): Billed => ({ writes, reads, invocations });

/** What each action is billed, from which the guide's prices are computed. */
const BILLED = {
  session: bill(4, 1, 0),
  sessionThroughFunction: bill(4, 5, 3),
  signup: bill(11, 23, 2),
  confirmation: bill(2, 6, 0),
  sharedConfirmation: bill(3, 9, 0),
  newShareLink: bill(1, 3, 0),
  shareLink: bill(0, 4, 0),
  place: bill(0, 2, 0),
  duplicateSignup: bill(4, 7, 1),
  summary: bill(4, 7, 1),
  cachedSummary: bill(4, 2, 1),
  idleSweep: bill(0, 24, 1),
  idleRollUp: bill(0, 4, 1),
  rollUp: bill(2, 5, 1),
  rolledUpRow: bill(0, 4, 0),
  dashboardRequest: bill(2, 4, 1),
  peoplePage: bill(3, 106, 1),
  launchEmail: bill(5.1, 18.3, 0),
  followUpEmail: bill(5, 19, 0),
  campaignUnsubscription: bill(2, 8, 0),
  invitedJoin: bill(3, 8, 0),
  importedPerson: bill(2, 2, 1),
};

const b = await harness();
beforeEach(async () => {
  await b.database.setRules(RULES);
  b.clock.now = Date.now();
});

function visitor() {
  const emulator = { firestore: b.database.proxy.restUrl, functions: b.functions.url };
  const endpoint = `${b.functions.functionUrl('accept-signups')}/api`;
  return firestoreAdapter({ projectId: PROJECT, apiKey: 'demo-key', emulator, endpoint });
}

/** Headers that Hosting adds to a request. Each address in them has a rate limit. */
const THROUGH_HOSTING = { 'x-forwarded-host': 'www.acme.example', 'x-forwarded-for': '2001:db8:1:2::3, 198.51.100.1' };

/** `byRules`: documents that rules look up with `exists` and `get`, which no emulator reports. */
async function billed(act: () => Promise<unknown>, byRules = 0, deleted = 0): Promise<Billed> {
  b.database.calls.reset();
  const { fetch } = globalThis;
  const requests = vi.spyOn(globalThis, 'fetch').mockImplementation((url, { headers, ...init } = {}) => {
    const isHosted = String(url).includes('/accept-signups/');
    return fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(headers)), ...(isHosted && THROUGH_HOSTING) },
    });
  });
  try {
    await act();
    const { writes, documentReads, aggregationReads, deletes } = b.database.calls;
    expect(deletes).toBe(deleted);
    const invocations = requests.mock.calls.filter(([url]) => String(url).startsWith(b.functions.url)).length;
    return { writes, reads: documentReads + aggregationReads + byRules, invocations };
  } finally {
    requests.mockRestore();
  }
}

/** Signs up an address as the page does, and delivers the event that sends its email. */
async function signUp(email: string): Promise<void> {
  const signup = { email, session_id: null, source: 'landing_page', referrer: null };
  await visitor().createSignup({ ...signup, submission_id: crypto.randomUUID() });
  await b.deliver(signupId(email));
}

describe('the billed operations of', () => {
  it('a session: its start, an update when the page is hidden, its end', async () => {
    const start = sessionOf();
    const update = updateOf(start, { total_duration: 20, session_end: Date.now() });
    const session = await billed(async () => {
      const page = visitor();
      await page.startSession(start);
      await page.updateSession(start.id, update);
      await page.updateSession(start.id, { ...update, total_duration: 40 }, { final: true });
    }, 1);
    expect(session).toEqual(BILLED.session);
  });

  it('the same session on a page without the Firestore adapter', async () => {
    const start = sessionOf();
    const update = updateOf(start, { total_duration: 20, session_end: Date.now() });
    const session = await billed(async () => {
      const page = httpAdapter({ endpoint: `${b.functions.functionUrl('accept-signups')}/api`, deadlineMs: 60_000 });
      await page.startSession(start);
      await page.updateSession(start.id, update);
      await page.updateSession(start.id, { ...update, total_duration: 40 }, { final: true });
    });
    expect(session).toEqual(BILLED.sessionThroughFunction);
  });

  it('a signup with its email', async () => {
    const signup = await billed(async () => {
      await signUp('ada@example.org');
      await visitor().sendWelcomeEmail('ada@example.org');
    });
    expect(signup).toEqual(BILLED.signup);
  });

  it('an address that is already signed up', async () => {
    await signUp('ada@example.org');
    const signup = { email: 'ada@example.org', session_id: null, source: 'landing_page', referrer: null };
    const again = await billed(() => visitor().createSignup({ ...signup, submission_id: crypto.randomUUID() }));
    expect(again).toEqual(BILLED.duplicateSignup);
  });

  it('an analytics summary, and another one within a minute', async () => {
    const summary = () => billed(() => visitor().readSummary(ADMIN));
    expect(await summary()).toEqual(BILLED.summary);
    expect(await summary()).toEqual(BILLED.cachedSummary);
  });

  it('a sweep that finds nothing', async () => {
    expect(await billed(b.sweep)).toEqual(BILLED.idleSweep);
  });
});

describe('the billed operations of the dashboard:', () => {
  it('a roll-up that finds nothing, before and after the first one', async () => {
    const rollUp = () => {
      b.clock.now = Date.now();
      return billed(() => fetch(b.functions.functionUrl('roll-up-analytics'), { method: 'POST' }));
    };
    expect(await rollUp()).toEqual(BILLED.idleRollUp);
    await visitor().startSession(sessionOf());
    await rollUp();
    expect(await rollUp()).toEqual(BILLED.idleRollUp);
    await visitor().startSession(sessionOf());
    const { reads, ...others } = await rollUp();
    const { reads: expected, ...expectedOthers } = BILLED.rollUp;
    // The session itself is part of a row that is rolled up.
    expect([reads - 1, others]).toEqual([expected, expectedOthers]);
  });

  it('a request, and a page of the people list', async () => {
    const cookie = await signIn(b);
    const request = await billed(() => ask(b, '/api/admin/session', { cookie }));
    expect(request).toEqual(BILLED.dashboardRequest);
    const list = Array.from({ length: 60 }, (_, n) => ({ email: `p${n}@x.io`, source: 'import', created_at: 1 }));
    await b.store.list.importPeople(
      list.map((person) => ({ ...person, state: 'subscribed' })),
      { welcome: true },
    );
    const page = await billed(async () => expect((await ask(b, '/api/admin/people', { cookie })).status).toBe(200));
    expect(page).toEqual(BILLED.peoplePage);
  });
});

describe('the billed operations of a campaign:', () => {
  const openStore = () => firestoreStore({ firestore: b.db, clock: () => b.clock.now, mailsPerHour: 14_400 });
  type Store = ReturnType<typeof openStore>;

  /** Creates a campaign to this number of invited people. */
  async function createCampaign(store: Store, count: number) {
    await store.list.importPeople(
      Array.from({ length: count }, (_, n) => {
        const invited = { state: 'invited' as const, invited_at: 1 };
        return { email: `p@x${count}-${n}.io`, source: `of-${count}`, created_at: 1, ...invited };
      }),
      { welcome: false },
    );
    const audience = { states: ['invited'], source: `of-${count}` } as const;
    return store.campaigns.create({ subject: 'We are live', body: 'Hello', audience });
  }

  async function send(store: Store): Promise<ClaimedMessage[]> {
    const sent: ClaimedMessage[] = [];
    await store.campaigns.feed();
    const due = store.mails.due();
    for (let claim = await due.claimNext(); claim !== 'nothing'; claim = await due.claimNext()) {
      if (typeof claim !== 'object') continue;
      await store.mails.recordOutcome(claim, { state: 'sent' });
      sent.push(claim);
    }
    return sent;
  }

  it('a recipient of a launch, and of its follow-up', async () => {
    const store = openStore();
    const [people, more] = [20, 40];
    const launch = async (count: number) => {
      const { id, audience, ...content } = await createCampaign(store, count);
      const launched = await billed(async () => {
        await store.campaigns.change(id, 'sending');
        expect(await send(store)).toHaveLength(count);
      });
      await store.campaigns.feed();
      const followUp = await store.campaigns.schedule.followUp(id, 1);
      if (followUp === null) throw new Error('there is no follow-up');
      await store.campaigns.save(followUp.id, { ...content, audience }, { revision: `of-${count}` });
      await store.campaigns.schedule.set(followUp.id, null);
      b.clock.now += 2 * DAY_MS;
      expect(await store.campaigns.schedule.startDue()).toMatchObject([{ people: count }]);
      const followed = await billed(async () => expect(await send(store)).toHaveLength(count));
      return { launched, followed };
    };
    const [one, two] = [await launch(people), await launch(more)];
    const perPerson = (of: 'launched' | 'followed', kind: 'writes' | 'reads') =>
      Math.round(((two[of][kind] - one[of][kind]) * 10) / (more - people)) / 10;
    const perEmail = (of: 'launched' | 'followed') => {
      return { writes: perPerson(of, 'writes'), reads: perPerson(of, 'reads'), invocations: 0 };
    };
    expect(perEmail('launched')).toEqual(BILLED.launchEmail);
    expect(perEmail('followed')).toEqual(BILLED.followUpEmail);
  });

  it('a person who unsubscribes by the link in it', async () => {
    const store = openStore();
    const { id } = await createCampaign(store, 1);
    await store.campaigns.change(id, 'sending');
    const [message] = await send(store);
    const hash = sha256(message?.tokens.unsubscribe ?? '');
    // The person's document gets a new id.
    const unsubscribed = await billed(() => store.list.unsubscribe(hash), 0, 1);
    expect(unsubscribed).toEqual(BILLED.campaignUnsubscription);
    expect(await store.campaigns.find(id)).toMatchObject({ unsubscribed: 1 });
  });

  it('a person who joins after it', async () => {
    const store = openStore();
    await store.list.importPeople([{ email: 'ada@example.org', source: 'fair', created_at: 1, state: 'subscribed' }], {
      welcome: false,
    });
    await store.list.invite({ after: null, who: { count: 1, filter: EVERYONE } });
    const [invitation] = await send(store);
    const audience = { states: ['invited'], source: 'fair' } as const;
    const { id } = await store.campaigns.create({ subject: 'We are live', body: 'Hello', audience });
    await store.campaigns.change(id, 'sending');
    await send(store);
    const hash = sha256(invitation?.tokens.link ?? '');
    const joined = await billed(() => store.list.redeemInvite(hash));
    expect(joined).toEqual(BILLED.invitedJoin);
    expect(await store.campaigns.find(id)).toMatchObject({ joined: 1 });
  });
});

it('an imported person is billed, for whom the trigger does nothing', async () => {
  const emails = (count: number) => Array.from({ length: count }, (_, n) => `p@x${count}-${n}.io`);
  const importPeople = (count: number) =>
    billed(async () => {
      const list = emails(count).map(
        (email) => ({ email, source: 'import', created_at: 1, state: 'subscribed' }) as const,
      );
      await b.store.list.importPeople(list, { welcome: true });
      for (const email of emails(count)) expect((await b.deliver(signupId(email))).status).toBe(204);
      expect(b.mailServer.recipients).toEqual([]);
    });
  const [few, more] = [30, 60];
  const [one, two] = [await importPeople(few), await importPeople(more)];
  const perPerson = (kind: keyof Billed) => Math.round(((two[kind] - one[kind]) * 10) / (more - few)) / 10;
  expect({ writes: perPerson('writes'), reads: perPerson('reads'), invocations: perPerson('invocations') }).toEqual(
    BILLED.importedPerson,
  );
});

describe('the billed operations of', () => {
  const openStore = () => firestoreStore({ firestore: b.db, clock: () => b.clock.now, confirm: true });

  /** Signs up and confirms by the emailed link. Returns the operations billed for the confirmation. */
  async function confirm(store: ReturnType<typeof openStore>, email: string, more: Partial<EmailSignup> = {}) {
    const signup = { email, session_id: null, source: 'landing_page', referrer: null, ...more };
    await store.createSignup({ submission_id: crypto.randomUUID(), ...signup }, { network: 'a1b2' });
    const claim = await store.mails.claim(signupId(email));
    if (typeof claim === 'string') throw new Error(claim);
    await store.mails.recordOutcome(claim, { state: 'sent' });
    const hash = sha256(claim.tokens.link ?? '');
    return billed(async () => expect(await store.list.confirm(hash, null)).toBe('confirmed'));
  }

  it('a confirmation', async () => {
    expect(await confirm(openStore(), 'ada@example.org')).toEqual(BILLED.confirmation);
  });

  it('a share link, a confirmation through it, and a place in line', async () => {
    const store = openStore();
    const submission_id = crypto.randomUUID();
    await confirm(store, 'ada@example.org', { submission_id });
    const link = () => billed(() => store.share.openLink('ada@example.org', submission_id));
    expect(await link()).toEqual(BILLED.newShareLink);
    expect(await link()).toEqual(BILLED.shareLink);
    const utm_content = (await store.share.openLink('ada@example.org', submission_id))?.code ?? '';
    const join = (n: number) => confirm(store, `friend${n}@x${n}.io`, { utm_source: 'share', utm_content });
    const expected = BILLED.sharedConfirmation;
    for (let n = 0; n < MAX_SHARED_PER_NETWORK; n += 1) expect([n, await join(n)]).toEqual([n, expected]);
    // The domains and the networks are counted, too, and this one is held.
    expect(await join(MAX_SHARED_PER_NETWORK)).toEqual({ writes: 2, reads: expected.reads + 2, invocations: 0 });
    const place = await billed(async () => expect(await store.share.readPlace(utm_content)).toBe(1));
    expect(place).toEqual(BILLED.place);
  });
});

describe('a month', () => {
  const DAYS = 30;
  /** One every five minutes. */
  const SWEEPS = DAYS * 24 * 12;
  const SUMMARIES = 100;
  const OPERATIONS = ['writes', 'reads', 'invocations'] as const;
  const [small, large] = [billMonth(1_000), billMonth(1_000_000)];

  /** Two reads of a summary are for the rate limit; those of its queries grow with the number of sessions. */
  function billMonth(visitors: number): Billed {
    const summary = { ...BILLED.summary, reads: 2 + billedReads(simulatedMonth(visitors)) };
    const [writes = 0, reads = 0, invocations = 0] = OPERATIONS.map(
      (kind) =>
        visitors * BILLED.session[kind] +
        visitors * 0.02 * BILLED.signup[kind] +
        SWEEPS * (BILLED.idleSweep[kind] + BILLED.idleRollUp[kind]) +
        Math.min(visitors, SWEEPS) * (BILLED.rollUp[kind] - BILLED.idleRollUp[kind]) +
        visitors * 1.02 * BILLED.rolledUpRow[kind] +
        SUMMARIES * summary[kind],
    );
    return { writes, reads, invocations };
  }

  it('adds up its operations', () => {
    expect(small).toEqual(bill(6_620, 249_160, 17_420));
    expect(large).toEqual(bill(4_237_680, 6_022_760, 57_380));
  });

  it('has the prices that the documents name', () => {
    const guide = readWords('deploy-firebase.md');
    /** Dollars per million. */
    const prices = { writes: 0.9, reads: 0.3, deletes: 0.1, invocations: 0.4 };
    const free = { writes: 20_000 * DAYS, reads: 50_000 * DAYS, deletes: 20_000 * DAYS, invocations: 2_000_000 };
    /** A session and its visitor are deleted by TTL. */
    const priceOf = (visitors: number, month: Billed) =>
      ([...OPERATIONS, 'deletes'] as const).reduce((sum, kind) => {
        const count = { ...month, deletes: 2 * visitors }[kind];
        return sum + (Math.max(0, count - free[kind]) * prices[kind]) / 1e6;
      }, 0);
    expect(priceOf(1_000, small)).toBe(0);
    expect(guide).toContain('A thousand visitors a month cost nothing.');
    expect(guide).toContain(`cost $${priceOf(1_000_000, large).toFixed(2)} for Firestore's operations`);
    const { writes, reads } = BILLED.launchEmail;
    const launch = (writes * prices.writes + reads * prices.reads) / 10;
    expect(guide).toContain(`A launch adds $${launch.toFixed(2)} for 100,000 emails`);
    const { reads: moreReads, invocations } = BILLED.sessionThroughFunction;
    const more = (moreReads - BILLED.session.reads) * prices.reads + invocations * prices.invocations;
    expect(readWords('firestore.md')).toContain(`for $${more.toFixed(2)} more a million`);
    expect(readWords('start/firebase.md')).toContain(`a million sessions cost $${more.toFixed(2)} more`);
  });
});
