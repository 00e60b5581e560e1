import { randomUUID } from 'node:crypto';
import { DAY_MS, type SignupFields } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { hashToken, sha256 } from '../app/access/secrets.ts';
import { PERSON_STATES, type PersonState } from '../app/lifecycle/states.ts';
import {
  EVERYONE,
  MAX_SOURCES,
  PEOPLE_SORTS,
  type PeopleFilter,
  type PeopleQuery,
  type Person,
} from '../app/people/people.ts';
import type { PeopleStore } from '../app/ports/people-store.ts';
import { EVENT_TYPES } from '../app/webhooks/events.ts';
import { EXAMPLE_FIELDS, exampleSession, exampleSignup, NO_HISTORY, numbers, updateOf } from './examples.ts';
import { claimed, NOW, queueNotice, type SetUp } from './harness.ts';

const FIRST_PAGE: PeopleQuery = { ...EVERYONE, sort: 'newest', limit: 3, after: null };

/** Tests the list of people. A store may return pages with fewer people than requested. */
export function peopleContract(setUp: SetUp): void {
  /** A database with people who signed up one second apart, in order. */
  async function withPeople(emails: readonly string[]) {
    const harness = await setUp();
    for (const email of emails) {
      await harness.store.createSignup(exampleSignup({ email }));
      harness.clock.now += 1_000;
    }
    return { ...harness, people: harness.store.people };
  }

  describe('people', () => {
    it('are listed in the asked order, each once, for any size of the pages', async () => {
      const emails = ['d@x.io', 'a@x.io', 'c@x.io', 'b@x.io', 'e@x.io'];
      const { people } = await withPeople(emails);
      for (const limit of [1, 2, 4, 5, 200]) {
        expect(await listed(people, { ...FIRST_PAGE, limit, sort: 'oldest' })).toEqual(emails);
        expect(await listed(people, { ...FIRST_PAGE, limit, sort: 'newest' })).toEqual(emails.toReversed());
        expect(await listed(people, { ...FIRST_PAGE, limit, sort: 'email' })).toEqual(emails.toSorted());
      }
      expect(await everyone(people, EVERYONE)).toEqual(emails);
    });

    it('have every field of their signup and the state of their email', async () => {
      const { store, clock } = await setUp();
      const signup = exampleSignup({
        session_id: 'session-1',
        referrer: 'https://a.example/',
        page_url: 'https://x.io/',
        utm_term: 'prints',
        fields: EXAMPLE_FIELDS,
      });
      await store.createSignup(signup);
      clock.now += 1_000;
      const claim = await store.mails.due().claimNext();
      if (typeof claim === 'string') throw new Error('no message is due');
      await store.mails.recordOutcome(claim, { state: 'failed', reason: '550' });
      const { people } = await store.people.list(FIRST_PAGE);
      const { submission_id: _, ...expected } = signup;
      expect(people).toEqual([
        {
          id: expect.any(String),
          ...expected,
          created_at: NOW,
          state: 'subscribed',
          ...NO_HISTORY,
          mail: {
            kind: 'welcome',
            state: 'failed',
            attempts: 1,
            reason: '550',
            next_attempt_at: NOW,
            changed_at: NOW + 1_000,
          },
          referrals: 0,
          resends: 'welcome',
        },
      ]);
    });

    it('are found by their id, with the session they signed up in as long as it is stored', async () => {
      const { store, sessions } = await setUp();
      const session = exampleSession(NOW, { utm_source: 'news', landing_path: '/join' });
      await store.updateSession(session.id, updateOf(session, { page_count: 3, page_path: '/about' }));
      await store.updateSession(session.id, updateOf(session, { page_count: 2, page_path: '/prices' }));
      const [known, unknown] = [
        exampleSignup({ session_id: session.id }),
        exampleSignup({ session_id: 'session-of-nobody' }),
      ];
      for (const signup of [known, unknown]) await store.createSignup(signup);
      const { people } = await store.people.list(FIRST_PAGE);
      const find = (email: string) => store.people.find(people.find((person) => person.email === email)?.id ?? '');
      expect(await find(known.email)).toMatchObject({
        email: known.email,
        session: (await sessions())[0],
        page_views: ['/prices', '/about'],
      });
      expect(await find(unknown.email)).toMatchObject({
        session_id: 'session-of-nobody',
        session: null,
        page_views: [],
      });
    });

    it('have a random id, which reveals neither their address nor what only their browser knows', async () => {
      const { store, clock } = await setUp();
      const webhook = { url: 'https://hooks.example.com/', secret: 'whsec_c2VjcmV0', format: 'json' } as const;
      const { id: webhookId } = await store.webhooks.add({ ...webhook, events: EVENT_TYPES });
      const signup = exampleSignup();
      /** Everything about the person that admins, endpoints and the host's back end see. */
      async function life() {
        await store.createSignup(signup);
        const listed = (await store.people.list(FIRST_PAGE)).people;
        const exported: Person[] = [];
        for await (const person of store.people.all(EVERYONE)) exported.push(person);
        const id = listed[0]?.id ?? '';
        const found = await store.people.find(id);
        const [last = null] = await store.list.waves(1);
        await store.list.invite({ after: last?.id ?? null, who: { ids: [id] } });
        let message = await claimed(store);
        while (message.kind !== 'invite') message = await claimed(store);
        // Emails are composed from the message.
        expect(JSON.stringify(message)).not.toContain(signup.submission_id);
        const redeemed = await store.list.redeemInvite(hashToken(message.tokens.link ?? ''));
        await store.erase(signup.email);
        clock.now += DAY_MS;
        return { id, listed, exported, found, redeemed };
      }
      const [first, second] = [await life(), await life()];
      expect(second.id).not.toBe(first.id);
      for (const { id, listed, exported, found, redeemed } of [first, second]) {
        expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
        expect([listed[0]?.id, exported[0]?.id, found?.id, redeemed]).toEqual([
          ...[id, id, id],
          { result: 'redeemed', email: signup.email, id },
        ]);
      }
      const events = (await store.webhooks.deliveries(webhookId, 20)).map(({ event }) => event);
      expect(events.map(({ type, person }) => [type, person])).toEqual([
        ['person.erased', second.id],
        ['person.erased', first.id],
      ]);
      for (const secret of [signup.submission_id, sha256(signup.email)]) {
        expect(JSON.stringify([first, second, events])).not.toContain(secret);
      }
    });

    it('are not found by any other id, nor once they are erased, not even if someone else signs up then', async () => {
      const { store, people } = await withPeople(['me@example.org']);
      const [me] = (await people.list(FIRST_PAGE)).people;
      if (me === undefined) throw new Error('nobody is listed');
      await store.erase(me.email);
      await store.createSignup(exampleSignup());
      for (const id of [
        me.id,
        '',
        '0',
        '-1',
        '1e9',
        `${me.id}0`,
        "1' OR '1'='1",
        'x'.repeat(10_000),
        '\u0000',
        '__proto__',
      ]) {
        expect(await people.find(id)).toBeNull();
      }
    });

    it('are found by any part of the address, in which no character has a meaning', async () => {
      const emails = [
        '100%@x.io',
        'under_score@x.io',
        "o'brien@x.io",
        'a*b@x.io',
        'ada@example.org',
        'z@xn--bcher-kva.example',
        'ü-é-漢字@x.io',
      ];
      const { people } = await withPeople(emails);
      const searches = [
        '%',
        '_',
        '%@',
        'r_s',
        "'",
        "o'b",
        '*',
        'a*b',
        '"',
        '""',
        '\\',
        '@',
        'x.io',
        'ada@example.org',
        'ada@example.orgs',
      ];
      const more = [
        'xample',
        '漢',
        '-é-',
        '',
        'NEAR',
        'x OR y',
        'a-b',
        '^a',
        '{',
        ':',
        '\u0000',
        'io\u0000',
        '\n',
        '😀',
        'x'.repeat(254),
      ];
      for (const search of [...searches, ...more]) {
        const expected = emails.filter((email) => email.includes(search));
        expect(await listed(people, { ...FIRST_PAGE, search, sort: 'oldest' }), search).toEqual(expected);
        expect(await everyone(people, { ...EVERYONE, search })).toEqual(expected);
        expect(await people.count({ ...EVERYONE, search })).toEqual({ count: expected.length, is_partial: false });
      }
    });

    it('are found by any part of a value that they entered, in any case, and by no name of a field', async () => {
      const { store, clock } = await setUp();
      const entered: Readonly<Record<string, SignupFields>> = {
        'a@x.io': { company: 'Café "Öl & Söhne"', news: true },
        'b@x.io': { company: 'STRASSE \\ 50%_', role: 'shop' },
        'c@x.io': { role: 'Shop' },
        'shop@x.io': {},
      };
      for (const [email, fields] of Object.entries(entered)) {
        await store.createSignup(exampleSignup({ email, fields }));
        clock.now += 1_000;
      }
      const found = {
        'öl & söhne"': ['a@x.io'],
        'café "': ['a@x.io'],
        straße: ['b@x.io'],
        '\\ 50%_': ['b@x.io'],
        shop: ['b@x.io', 'c@x.io', 'shop@x.io'],
        company: [],
        true: [],
        '":"': [],
      };
      for (const [search, emails] of Object.entries(found)) {
        expect([search, await everyone(store.people, { ...EVERYONE, search })]).toEqual([search, emails]);
        expect(await store.people.count({ ...EVERYONE, search })).toEqual({ count: emails.length, is_partial: false });
      }
    });

    it.each([1, 2])('are filtered by all conditions at once (%i)', async (seed) => {
      const { store, clock } = await setUp();
      const random = numbers(seed);
      const sources = ['landing_page', 'footer', 'blog'];
      const mails = [null, 'queued', 'sent', 'sending', 'none', 'failed'] as const;
      const states: readonly (PersonState | null)[] = [null, null, 'subscribed', 'invited'];
      const files = [1, 2].map((name) => ({ id: randomUUID(), name: `${name}.csv` }));
      const imports = new Map<string, string>();
      let people = 24;
      for (let index = 0; index < 24; index += 1) {
        await store.createSignup(
          exampleSignup({
            email: `${random(2) === 0 ? 'ada' : 'bob'}-${index}@x.io`,
            source: sources[random(3)] ?? '',
          }),
        );
        const imported = {
          email: `${random(2) === 0 ? 'ada' : 'bob'}-imported-${index}@x.io`,
          source: sources[random(3)] ?? '',
          created_at: clock.now,
          state: PERSON_STATES[random(PERSON_STATES.length)] ?? 'subscribed',
        };
        if (random(3) === 0) {
          const file = files[random(3)];
          await store.list.importPeople([imported], { welcome: false, ...(file && { import: file }) });
          if (file) imports.set(imported.email, file.id);
          people += 1;
        }
        if (random(3) === 0) {
          const claim = await store.mails.due().claimNext();
          if (typeof claim !== 'string' && random(2) === 0) await store.mails.recordOutcome(claim, { state: 'sent' });
        }
        clock.now += random(10_000);
      }
      const all = (await store.people.list({ ...FIRST_PAGE, limit: 200 })).people;
      expect(all).toHaveLength(people);
      expect(people).toBeGreaterThan(24);
      for (let turn = 0; turn < 30; turn += 1) {
        const filter: PeopleFilter = {
          search: ['', 'ada', 'b', '-1'][random(4)] ?? '',
          state: states[random(4)] ?? null,
          mail: mails[random(6)] ?? null,
          source: [null, null, 'footer', 'nowhere', 'foot\u0000er'][random(5)] ?? null,
          import: [null, null, null, files[0]?.id, randomUUID()][random(5)] ?? null,
          from: random(2) === 0 ? null : NOW + random(120_000),
          to: random(2) === 0 ? null : NOW + random(120_000),
        };
        const ofImport = all.filter(({ email }) => filter.import === null || filter.import === imports.get(email));
        const expected = ofImport.filter((person) => matches(person, filter)).map(({ email }) => email);
        const sort = PEOPLE_SORTS[random(3)] ?? 'newest';
        expect((await listed(store.people, { ...FIRST_PAGE, ...filter, sort })).toSorted()).toEqual(
          expected.toSorted(),
        );
        expect(await store.people.count(filter)).toEqual({ count: expected.length, is_partial: false });
        expect((await everyone(store.people, filter)).toSorted()).toEqual(expected.toSorted());
      }
    });

    it('are filtered by the state of their email while an admin waits for one, too', async () => {
      const { store, people } = await withPeople(['a@x.io']);
      const notice = { type: 'signups', signups: 1, since: NOW } as const;
      await queueNotice(store, ['admin@x.io'], notice);
      expect(await everyone(people, { ...EVERYONE, mail: 'queued' })).toEqual(['a@x.io']);
    });

    it('who sign up or are erased between two pages make no one else appear twice or not at all', async () => {
      const emails = Array.from({ length: 9 }, (_, index) => `person-${index}@x.io`);
      for (const sort of PEOPLE_SORTS) {
        const { store, people, clock } = await withPeople(emails);
        const first = await people.list({ ...FIRST_PAGE, sort });
        const shown = first.people.map(({ email }) => email);
        // The last person of the page, whom the cursor refers to, and one of the next page.
        const erased = [shown.at(-1) ?? '', emails[4] ?? ''];
        for (const email of erased) await store.erase(email);
        const added = ['a@x.io', 'z@x.io'];
        for (const email of added) await store.createSignup(exampleSignup({ email }));
        clock.now += 1_000;
        const rest = await listed(people, { ...FIRST_PAGE, sort, after: first.next });
        const expected = emails.filter((email) => !shown.includes(email) && !erased.includes(email));
        expect(rest.filter((email) => !added.includes(email)).toSorted()).toEqual(expected.toSorted());
        expect(new Set(rest).size).toBe(rest.length);
      }
    });

    it('are listed on with a cursor in every process, and a changed cursor is refused', async () => {
      const { people, open } = await withPeople(Array.from({ length: 8 }, (_, index) => `person-${index}@x.io`));
      for (const sort of PEOPLE_SORTS) {
        const { next } = await people.list({ ...FIRST_PAGE, sort });
        if (next === null) throw new Error('there is no second page');
        expect(Buffer.from(next, 'base64url').toString()).not.toMatch(/person-|x\.io/);
        expect((await open().people.list({ ...FIRST_PAGE, sort, after: next })).people.length).toBeGreaterThan(0);
        const changed = [...next].map(
          (character, index) => next.slice(0, index) + (character === 'A' ? 'B' : 'A') + next.slice(index + 1),
        );
        const others = PEOPLE_SORTS.filter((other) => other !== sort);
        const refused = [
          ...changed.filter((_, index) => index % 7 === 0),
          '',
          'x',
          next.slice(1),
          `${next}AAAA`,
          '0'.repeat(10_000),
        ];
        for (const after of refused) await expectInvalid(() => people.list({ ...FIRST_PAGE, sort, after }));
        for (const other of others) await expectInvalid(() => people.list({ ...FIRST_PAGE, sort: other, after: next }));
      }
    });

    it('have their sources listed once each', async () => {
      const { store } = await setUp();
      expect(await store.people.sources()).toEqual([]);
      for (const source of ['footer', 'Blog', 'footer', 'landing_page'])
        await store.createSignup(exampleSignup({ source }));
      expect((await store.people.sources()).toSorted()).toEqual(['Blog', 'footer', 'landing_page']);
    });

    it('have a limited number of sources listed', async () => {
      const { store } = await setUp();
      const sources = Array.from({ length: MAX_SOURCES + 1 }, (_, index) => `source-${1_000 + index}`);
      for (const source of sources) await store.createSignup(exampleSignup({ source }));
      expect((await store.people.sources()).toSorted()).toEqual(sources.slice(0, MAX_SOURCES));
    });

    it('tell whether anyone has values of fields', async () => {
      const { store, people } = await withPeople(['a@x.io']);
      expect(await people.haveFields()).toBe(false);
      await store.createSignup(exampleSignup({ email: 'b@x.io', fields: EXAMPLE_FIELDS }));
      expect(await people.haveFields()).toBe(true);
      await store.erase('b@x.io');
      expect(await people.haveFields()).toBe(false);
    });

    it('tell which of many addresses are on the list', async () => {
      const emails = Array.from({ length: 40 }, (_, index) => `p${index}@x.io`);
      const { people } = await withPeople(emails.slice(0, 35));
      const listed = { id: expect.any(String), state: 'subscribed', confirmed_at: null, unsubscribed_at: null };
      expect(await people.listed(emails)).toEqual(new Map(emails.slice(0, 35).map((email) => [email, listed])));
      expect(await people.listed([])).toEqual(new Map());
    });
  });
}

function matches(person: Person, { search, state, mail, source, from, to }: PeopleFilter): boolean {
  return (
    person.email.includes(search) &&
    (state === null || state === person.state) &&
    (mail === null || mail === (person.mail?.state ?? 'none')) &&
    (source === null || source === person.source) &&
    (from === null || person.created_at >= from) &&
    (to === null || person.created_at < to)
  );
}

/** Follows the cursors to the end. */
async function listed(people: PeopleStore, query: PeopleQuery): Promise<string[]> {
  const emails: string[] = [];
  let { after } = query;
  do {
    const page = await people.list({ ...query, after });
    expect(page.people.length).toBeLessThanOrEqual(query.limit);
    emails.push(...page.people.map(({ email }) => email));
    after = page.next;
  } while (after !== null);
  return emails;
}

async function everyone(people: PeopleStore, filter: PeopleFilter): Promise<string[]> {
  const emails: string[] = [];
  for await (const { email } of people.all(filter)) emails.push(email);
  return emails;
}

async function expectInvalid(call: () => unknown): Promise<void> {
  await expect((async () => call())()).rejects.toMatchObject({ name: 'StorageError', code: 'invalid' });
}
