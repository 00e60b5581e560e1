import { fc } from '@early-access-kit/testkit/fast-check';
import { signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { CONFIRM_LINK_MS, EVERYONE, hashToken } from 'early-access-server/fixtures';
import { type ClaimedMessage, PENDING_MS, type PeopleFilter, REMINDER_AFTER_MS } from 'early-access-server/internal';
import { describe, expect, it } from 'vitest';
import { beforeNextTransaction, firestoreOfFile } from '../../fixtures/firestore.ts';
import { signupId } from '../database.ts';
import { firestoreStore } from '../firestore-store.ts';
import { firestorePeople } from '../people/people.ts';
import { inviteWave } from './waves.ts';

const ADA = 'ada@example.org';
const NOW = Date.UTC(2026, 2, 1, 14, 10);
const database = await firestoreOfFile(NOW);
const { clock } = database;

const open = (confirm = false) =>
  firestoreStore({
    firestore: database.firestore,
    clock: () => clock.now,
    confirm,
    summaryMaxAgeMs: 0,
    mailsPerHour: 2_000,
  });
type Store = ReturnType<typeof open>;

/** Stores a signup as a browser does. Returns its id. */
async function signUp(email: string): Promise<string> {
  const id = signupId(email);
  await database.firestore
    .doc(`email_signups/${id}`)
    .create({ ...signupOf({ email }), created_at: new Date(clock.now) });
  return id;
}

/** Claims the first message of a signup and records it as sent. */
async function send(store: Store, id: string): Promise<ClaimedMessage> {
  const claim = await store.mails.claim(id);
  if (typeof claim === 'string') throw new Error(claim);
  await store.mails.recordOutcome(claim, { state: 'sent' });
  return claim;
}

async function sendDue(store: Store): Promise<ClaimedMessage[]> {
  const due = store.mails.due();
  const sent: ClaimedMessage[] = [];
  for (;;) {
    const claim = await due.claimNext();
    if (claim === 'nothing') return sent;
    if (typeof claim === 'string') continue;
    await store.mails.recordOutcome(claim, { state: 'sent' });
    sent.push(claim);
  }
}

async function everyone(store: Store, filter: Partial<PeopleFilter> = {}) {
  const people = [];
  for await (const person of store.people.all({ ...EVERYONE, ...filter })) people.push(person);
  return people;
}

const ids = async (collection: string) => (await database.list(collection)).map(({ name }) => name.split('/').at(-1));
const hashLink = (token: string | null) => hashToken(token ?? '');

describe('a signup that a browser writes', () => {
  it('gets its state and its first message when it is claimed', async () => {
    const id = await signUp(ADA);
    const { kind, tokens } = await send(open(true), id);
    expect([kind, (await database.firestore.doc(`email_signups/${id}`).get()).get('state')]).toEqual([
      'confirmation',
      'pending',
    ]);
    expect(await open(true).list.confirm(hashLink(tokens.link), 'of-another-browser')).toBe('other-browser');
    expect(await open(true).list.confirm(hashLink(tokens.link), null)).toBe('confirmed');
    expect(await open(true).list.confirm(hashLink(tokens.link), null)).toBe('already-confirmed');
    expect(JSON.stringify(await database.list('person_tokens'))).not.toContain(tokens.link);
  });

  it('gets both from the schedule if no trigger has claimed it, and is not invited until then', async () => {
    const store = open();
    const webhook = { url: 'https://hooks.example.com/', secret: 'whsec_c2VjcmV0', format: 'json' } as const;
    const { id: endpoint } = await store.webhooks.add({ ...webhook, events: ['signup.created'] });
    await store.list.resume({ withinMs: 1_000 });
    const id = await signUp(ADA);
    expect(await store.list.invite({ after: null, who: { count: 5, filter: EVERYONE } })).toBe('nobody');
    expect(await store.list.invite({ after: null, who: { ids: [id] } })).toBe('nobody');
    clock.now += 120_000;
    await store.list.resume({ withinMs: 1_000 });
    expect(await sendDue(store)).toMatchObject([{ id, kind: 'welcome', email: ADA }]);
    expect(await everyone(store, { state: 'subscribed' })).toHaveLength(1);
    expect(await store.webhooks.deliveries(endpoint, 10)).toMatchObject([
      { event: { type: 'signup.created', person: (await everyone(store))[0]?.id } },
    ]);
  });

  it('can be found and emailed before it has a state', async () => {
    const store = open();
    const signup = await signUp(ADA);
    // Two admins who read at the same time get the same id, and so does everyone later.
    const [{ id } = { id: '' }, other] = (await Promise.all([everyone(store), everyone(store)])).flat();
    expect(other?.id).toBe(id);
    const query = { ...EVERYONE, sort: 'newest', limit: 1, after: null } as const;
    expect((await store.people.list(query)).people).toMatchObject([{ id, email: ADA }]);
    expect(await store.people.find(id)).toMatchObject({ id, email: ADA, state: 'subscribed', mail: null });
    for (const none of [`${id}/x`, `x${id}`, id.slice(1), signup]) expect(await store.people.find(none)).toBeNull();
    expect(await store.mails.resend(ADA)).toBe('queued');
    await store.mails.claim(signup);
    expect(await everyone(store, { state: 'subscribed' })).toMatchObject([{ id }]);
  });

  it('has to be confirmed even if an admin resends its email before it has a state', async () => {
    const store = open(true);
    const id = await signUp(ADA);
    expect(await store.mails.resend(ADA)).toBe('queued');
    expect(await send(store, id)).toMatchObject({ kind: 'confirmation' });
    expect(await everyone(store)).toMatchObject([{ state: 'pending' }]);
  });

  it('becomes visible to the schedule even if others with a later time were visible first', async () => {
    const store = open();
    clock.now = NOW - 120_000;
    await signUp('first@example.org');
    clock.now = NOW - 30_000;
    await signUp('later@example.org');
    clock.now = NOW;
    await store.list.resume({ withinMs: 1_000 });
    clock.now = NOW - 40_000;
    await signUp(ADA);
    clock.now = NOW;
    await store.list.resume({ withinMs: 1_000 });
    expect(await everyone(store, { state: 'subscribed' })).toHaveLength(3);
  });

  it.each([
    ['is erased', (id: string) => database.firestore.doc(`email_signups/${id}`).delete(), []],
    ['joins', (id: string) => database.firestore.doc(`email_signups/${id}`).update({ state: 'joined' }), ['joined']],
  ])('that %s during the sweep is not changed', async (_, change, states) => {
    const store = open();
    const id = await signUp(ADA);
    clock.now += 2 * DAY_MS;
    beforeNextTransaction(database, () => change(id));
    await store.list.resume({ withinMs: 1_000 });
    expect((await everyone(store)).map(({ state }) => state)).toEqual(states);
  });

  it('counts as subscribed if no trigger has processed it, until the schedule stores its state, page by page', async () => {
    const store = open(true);
    const people = Array.from({ length: 250 }, (_, n) => `person-${n}@example.org`);
    await Promise.all(people.map(signUp));
    clock.now += 2 * DAY_MS;
    expect(await store.list.counts()).toEqual(new Map([['subscribed', 250]]));
    expect(new Set((await everyone(store)).map(({ state }) => state))).toEqual(new Set(['subscribed']));
    // The schedule's time is up after one page; the next run continues.
    await store.list.resume({ withinMs: 0 });
    expect((await everyone(store, { state: 'pending' })).length).toBe(0);
    await store.list.resume({ withinMs: 60_000 });
    expect((await everyone(store, { state: 'pending' })).length).toBe(250);
    await store.createSignup(signupOf({ email: ADA }));
    database.calls.reset();
    await store.list.resume({ withinMs: 60_000 });
    // Interrupted waves, the progress, and the signup that already has a state.
    expect(database.calls).toMatchObject({ documentReads: 3, writes: 0 });
  });
});

describe('a person who unsubscribes', () => {
  it('is still listed and counted, gets nothing, and can be erased', async () => {
    const store = open();
    const { tokens } = await send(store, await signUp(ADA));
    await store.list.invite({ after: null, who: { count: 1, filter: EVERYONE } });
    expect(await store.list.unsubscribe(hashLink(tokens.unsubscribe))).toBe('unsubscribed');
    expect(await store.list.unsubscribe(hashLink(tokens.unsubscribe))).toBe('unsubscribed');
    expect(await sendDue(store)).toEqual([]);
    const [person] = await everyone(store);
    expect(person).toMatchObject({ email: ADA, state: 'unsubscribed', mail: { state: 'sent' } });
    expect(await store.people.find(person?.id ?? '')).toMatchObject({ state: 'unsubscribed' });
    expect(await store.readSummary()).toMatchObject({ email_signups: 1 });
    expect(await store.mails.resend(ADA)).toBe('unsubscribed');
    expect(await store.erase(ADA)).toMatchObject({ erased: { messageKeys: [expect.any(String)] } });
    expect([...(await ids('email_signups')), ...(await ids('mails')), ...(await ids('person_tokens'))]).toEqual([]);
  });

  it('can sign up again in a browser, has to confirm, and stays the same person', async () => {
    const store = open();
    const id = await signUp(ADA);
    const { tokens, messageKey } = await send(store, id);
    const [before] = await everyone(store);
    await store.list.unsubscribe(hashLink(tokens.unsubscribe));
    expect(await ids('email_signups')).toEqual([`left-${id}`]);
    clock.now += DAY_MS;
    await signUp(ADA);
    // The trigger on the moved document does nothing.
    expect(await store.mails.claim(`left-${id}`)).toBe('nothing');
    // Until the new signup is enrolled, an old link belongs to the person who left.
    expect(await store.list.unsubscribe(hashLink(tokens.unsubscribe))).toBe('unsubscribed');
    const again = await send(store, id);
    expect(again.messageKey).not.toBe(messageKey);
    expect(await ids('email_signups')).toEqual([id]);
    expect(again.kind).toBe('confirmation');
    expect(await everyone(store)).toMatchObject([{ id: before?.id, state: 'pending', created_at: NOW }]);
    expect(await store.list.findOwner(hashLink(tokens.unsubscribe), 'unsubscribe')).toBe(before?.id);
    expect(await store.list.confirm(hashLink(again.tokens.link), null)).toBe('confirmed');
    expect(await store.readSummary()).toMatchObject({ email_signups: 1 });
  });

  it('has to confirm also if no trigger was there for their new signup, and it is old', async () => {
    const store = open();
    const { tokens } = await send(store, await signUp(ADA));
    await store.list.unsubscribe(hashLink(tokens.unsubscribe));
    await signUp(ADA);
    clock.now += 2 * DAY_MS;
    await store.list.resume({ withinMs: 1_000 });
    expect(await everyone(store, { state: 'pending' })).toMatchObject([{ email: ADA }]);
  });

  it('counts as one signup in the figures if they sign up again after their first day is archived', async () => {
    const store = open();
    const { tokens } = await send(store, await signUp(ADA));
    await store.list.unsubscribe(hashLink(tokens.unsubscribe));
    clock.now += 4 * DAY_MS;
    await store.analytics.rollUp({ withinMs: 60_000 });
    await send(store, await signUp(ADA));
    const query = { buckets: [NOW - DAY_MS], end: clock.now + 1, previousStart: null, filter: {} };
    expect((await store.analytics.read(query)).figures.signups).toBe(1);
  });

  it('does not appear twice in a list that is being read', async () => {
    const store = open();
    const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
    const tokens = new Map<string, string | null>();
    for (const email of emails) {
      tokens.set(email, (await send(store, await signUp(email))).tokens.unsubscribe);
      clock.now += 1_000;
    }
    for (const sort of ['oldest', 'newest', 'email'] as const) {
      const first = await store.people.list({ ...EVERYONE, sort, limit: 1, after: null });
      const last = first.people[0]?.email ?? '';
      await store.list.unsubscribe(hashLink(tokens.get(last) ?? null));
      const rest = await store.people.list({ ...EVERYONE, sort, limit: 5, after: first.next });
      expect([last, ...rest.people.map(({ email }) => email)].toSorted()).toEqual(emails);
    }
  });
});

describe('a pending signup', () => {
  it('gets one reminder, and is erased after a month', async () => {
    const store = open(true);
    const { tokens } = await send(store, await signUp(ADA));
    clock.now = NOW + REMINDER_AFTER_MS - 1;
    expect(await store.list.tidyPending(10)).toBe(0);
    clock.now += 1;
    const tidied = await Promise.all([store.list.tidyPending(10), store.list.tidyPending(10)]);
    expect(tidied.toSorted()).toEqual([0, 1]);
    expect(await sendDue(store)).toMatchObject([{ id: `${signupId(ADA)}.reminder`, kind: 'reminder', email: ADA }]);
    clock.now = NOW + CONFIRM_LINK_MS;
    expect(await store.list.confirm(hashLink(tokens.link), null)).toBe('expired');
    for (let renewal = 1; renewal <= 2; renewal += 1) {
      expect(await store.list.renewConfirmation(hashLink(tokens.link))).toBe('queued');
      expect(await store.list.renewConfirmation(hashLink(tokens.link))).toBe('queued');
      expect(await everyone(store)).toMatchObject([{ mail: { state: 'queued' } }]);
      expect(await sendDue(store)).toMatchObject([{ kind: 'confirmation' }]);
    }
    expect(await ids('mails')).toHaveLength(4);
    clock.now = NOW + PENDING_MS;
    expect([await store.list.tidyPending(10), await store.list.tidyPending(10)]).toEqual([1, 0]);
    expect([...(await ids('email_signups')), ...(await ids('mails')), ...(await ids('person_tokens'))]).toEqual([]);
  });

  it('is not erased if it is confirmed in the meantime', async () => {
    const store = open(true);
    const id = await signUp(ADA);
    await send(store, id);
    clock.now = NOW + PENDING_MS;
    beforeNextTransaction(database, () =>
      database.firestore.doc(`email_signups/${id}`).update({ state: 'subscribed' }),
    );
    expect(await store.list.tidyPending(1)).toBe(0);
    expect(await everyone(store)).toMatchObject([{ email: ADA, state: 'subscribed' }]);
  });
});

it('the last message of a person is the one before, if theirs is no longer needed', async () => {
  const store = open(true);
  const { tokens } = await send(store, await signUp(ADA));
  clock.now += REMINDER_AFTER_MS;
  expect(await store.list.tidyPending(1)).toBe(1);
  await store.list.confirm(hashLink(tokens.link), null);
  expect(await sendDue(store)).toEqual([]);
  expect(await ids('mails')).toEqual([signupId(ADA)]);
  expect(await everyone(store)).toMatchObject([{ state: 'subscribed', mail: { state: 'sent' } }]);
});

describe('an invite wave', () => {
  async function subscribed(store: Store, count: number): Promise<void> {
    const people = Array.from({ length: count }, (_, n) => ({
      email: `person-${n}@example.org`,
      source: n % 2 === 0 ? 'even' : 'odd',
      created_at: NOW - DAY_MS + n,
      state: 'subscribed' as const,
    }));
    await store.list.importPeople(people, { welcome: false });
  }

  it('invites each person once, oldest first, even with concurrent calls', async () => {
    const store = open();
    await subscribed(store, 450);
    const who = { count: 420, filter: EVERYONE };
    const results = await Promise.all(Array.from({ length: 6 }, () => store.list.invite({ after: null, who })));
    expect(results.filter((result) => result === 'outdated')).toHaveLength(5);
    expect(results).toContainEqual({
      id: '1',
      created_at: NOW,
      people: 420,
      sent: 0,
      queued: 420,
      failed: 0,
      joined: 0,
    });
    const invited = await everyone(store, { state: 'invited' });
    expect(invited.map(({ email }) => email)).toEqual(Array.from({ length: 420 }, (_, n) => `person-${n}@example.org`));
    expect(await ids('mails')).toHaveLength(420);
  });

  it('that was interrupted is completed by the schedule, or before the next wave', async () => {
    const store = open();
    await subscribed(store, 500);
    const wave = { after: null, who: { count: 450, filter: { ...EVERYONE, search: 'person' } } };
    // The wave itself and its first batch succeed.
    for (const fault of [{ delayMs: 0 }, { delayMs: 0 }, { status: 403 }])
      database.faults.next({ verb: 'commit', ...fault });
    await expect(store.list.invite(wave)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.list.invite({ ...wave, after: '1' })).toMatchObject({ id: '2', people: 50 });
    expect(await store.list.waves(5)).toMatchObject([
      { id: '2', people: 50, queued: 50 },
      { id: '1', people: 450, queued: 450 },
    ]);
    expect(JSON.stringify(await database.list('invite_waves'))).not.toContain('"person"');
  });

  it('invites selected people, whatever their number', async () => {
    const store = open();
    await subscribed(store, 450);
    const listed = await everyone(store);
    const all = listed.map(({ id }) => id);
    const chosen = [...all.slice(0, 401), ...all.slice(0, 3)];
    expect(await store.list.invite({ after: null, who: { ids: chosen } })).toMatchObject({ people: 401, queued: 401 });
    expect(new Set(await ids('mails'))).toEqual(
      new Set(listed.slice(0, 401).map(({ email }) => `${signupId(email)}.invite.1`)),
    );
    expect(await store.list.withdraw('1')).toBe(401);
    expect(await store.list.waves(1)).toMatchObject([{ people: 0, queued: 0 }]);
    // The filter is deleted once it is no longer needed.
    const { number, created_at, people, ...rest } = (await database.firestore.doc('invite_waves/1').get()).data() ?? {};
    expect([number, created_at, people]).toEqual([1, NOW, 0]);
    expect(rest).toEqual({ remaining: 0, filter: null, ids: null, position: null });
  });

  it('skips invalid ids, and selected people who are erased in the meantime', async () => {
    const store = open();
    await subscribed(store, 3);
    const chosen = (await everyone(store)).map(({ id }) => id);
    const invite = (ids: readonly string[]) => store.list.invite({ after: null, who: { ids } });
    expect(await invite([`x/${chosen[0]}`])).toBe('nobody');
    // Storing the wave itself succeeds.
    for (const fault of [{ delayMs: 0 }, { status: 403 }]) database.faults.next({ verb: 'commit', ...fault });
    await expect(invite(chosen)).rejects.toMatchObject({ code: 'unavailable' });
    await store.erase('person-1@example.org');
    await store.list.resume({ withinMs: 1_000 });
    expect(await store.list.waves(5)).toMatchObject([{ people: 2, queued: 2 }]);
    expect((await database.firestore.doc('invite_waves/1').get()).get('remaining')).toBe(0);
  });

  it('scans everyone if no index finds the matching people', async () => {
    const store = open();
    await subscribed(store, 450);
    const filter = { ...EVERYONE, search: '-44' };
    const wave = await store.list.invite({ after: null, who: { count: 5, filter } });
    expect(wave).toMatchObject({ people: 5, queued: 5 });
    expect(await everyone(store, { state: 'invited' })).toMatchObject(
      ['44', '440', '441', '442', '443'].map((n) => ({ email: `person-${n}@example.org` })),
    );
    expect(await store.list.invite({ after: '1', who: { count: 50, filter } })).toMatchObject({ people: 6 });
  });

  it('is created even if its first person is far down the list', async () => {
    await subscribed(open(), 450);
    const people = firestorePeople(database.firestore, { maxScanned: 200 });
    const options = { firestore: database.firestore, people, clock: () => clock.now };
    const who = { count: 1, filter: { ...EVERYONE, search: '-449' } };
    expect(await inviteWave(options, { after: null, who })).toMatchObject({ people: 1 });
  });

  it('invites no one else once it is withdrawn', async () => {
    const store = open();
    await subscribed(store, 250);
    for (const fault of [{ delayMs: 0 }, { delayMs: 0 }, { status: 403 }])
      database.faults.next({ verb: 'commit', ...fault });
    const who = { count: 250, filter: EVERYONE };
    await expect(store.list.invite({ after: null, who })).rejects.toMatchObject({ code: 'unavailable' });
    beforeNextTransaction(database, () => store.list.withdraw('1'));
    await store.list.resume({ withinMs: 1_000 });
    expect(await store.list.waves(5)).toMatchObject([{ people: 0, queued: 0 }]);
    expect(await everyone(store, { state: 'invited' })).toEqual([]);
  });

  it('can be withdrawn for any number of people', async () => {
    const store = open();
    await subscribed(store, 1);
    await database.firestore.doc('invite_waves/9').create({ number: 9, created_at: NOW, people: 0, remaining: 0 });
    expect(await store.list.invite({ after: '9', who: { count: 1, filter: EVERYONE } })).toMatchObject({ id: '10' });
    expect(await store.list.withdraw('10')).toBe(1);
  });
});

it('figures count everyone once in every state, also people imported with a past date', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(1), fc.constantFrom('sign up', 'leave', 'erase', 'import', 'later', 'roll up')), {
        minLength: 1,
        maxLength: 25,
      }),
      async (steps) => {
        await database.clear();
        clock.now = NOW;
        const store = open();
        const expected = new Map<string, { at: number; left: boolean; imported: boolean }>();
        const links = new Map<string, string | null>();
        for (const [n, step] of steps) {
          const email = `person-${n}@example.org`;
          const known = expected.get(email);
          if (step === 'later') clock.now += 11 * 3_600_000;
          if (step === 'roll up') await store.analytics.rollUp({ withinMs: 60_000 });
          if (step === 'sign up' && (known === undefined || known.left)) {
            links.set(email, (await send(store, await signUp(email))).tokens.unsubscribe);
            expected.set(email, { at: clock.now, left: false, imported: false });
          }
          if (step === 'leave' && known?.left === false && links.has(email)) {
            await store.list.unsubscribe(hashLink(links.get(email) ?? null));
            expected.set(email, { ...known, left: true });
          }
          if (step === 'erase') {
            await store.erase(email);
            expected.delete(email);
            links.delete(email);
          }
          if (step === 'import') {
            const at = clock.now - (n + 1) * DAY_MS;
            await store.list.importPeople([{ email, source: 'file', created_at: at, state: 'subscribed' }], {
              welcome: false,
            });
            if (known === undefined) expected.set(email, { at, left: false, imported: true });
          }
        }
        clock.now += 1;
        for (const rolledUp of [false, true]) {
          if (rolledUp) {
            clock.now += 4 * DAY_MS;
            await store.analytics.rollUp({ withinMs: 60_000 });
          }
          const query = { buckets: [NOW - 30 * DAY_MS], end: clock.now, previousStart: null, filter: {} };
          const { figures } = await store.analytics.read(query);
          expect(figures.signups).toBe([...expected.values()].filter(({ imported }) => !imported).length);
          expect(await store.readSummary()).toMatchObject({ email_signups: expected.size });
          expect(
            (await everyone(store)).map(({ email, state }) => [email, state === 'unsubscribed']).toSorted(),
          ).toEqual([...expected].map(([email, { left }]) => [email, left]).toSorted());
        }
      },
    ),
    { numRuns: 25 },
  );
});
