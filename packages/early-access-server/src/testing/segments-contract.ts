import { randomUUID } from 'node:crypto';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_AUDIENCE, type CampaignContent } from '../app/campaigns/campaign.ts';
import { PERSON_STATES } from '../app/lifecycle/states.ts';
import { EVERYONE, PEOPLE_SORTS, type PeopleFilter, type Person } from '../app/people/people.ts';
import { MAX_SEGMENTS, type Segment, type TextTest } from '../app/people/segment.ts';
import type { SegmentStore } from '../app/ports/segment-store.ts';
import type { Store } from '../app/ports/store.ts';
import { exampleSignup, numbers } from './examples.ts';
import { claim, claimed, NOW, type SetUp } from './harness.ts';

const CONTENT: CampaignContent = {
  subject: 'We are live',
  body: '*',
  audience: { states: CAMPAIGN_AUDIENCE, source: null },
};

const LANGUAGES = ['de', 'pt', null] as const;
const VALUES = ['true', '"A" \\ %s 漢字', '1'] as const;

export function segmentsContract(setUp: SetUp, histories: number): void {
  describe('segments', () => {
    it('are saved under one name each, in every process', async () => {
      const { store, open } = await setUp();
      const { segments } = store;
      const conditions: Segment = {
        states: ['invited'],
        fields: { role: VALUES[1], news: true },
        invited_days_ago: 14,
        with_campaign: '3',
      };
      expect(await segments.list()).toEqual([]);
      const saved = await added(segments, 'Waiting', conditions);
      const first = await added(segments, 'Artists', { language: 'de' });
      expect(saved).toEqual({ id: expect.any(String), name: 'Waiting', conditions });
      const other = open().segments;
      expect(await other.list()).toEqual([first, saved]);
      expect(await other.add('Waiting', {})).toBe('taken');
      expect([
        await segments.rename(saved.id, 'Artists'),
        await segments.rename(saved.id, 'Waiting'),
        await segments.rename(saved.id, 'Aa'),
        await segments.rename('nothing', 'Nobody'),
      ]).toEqual(['taken', 'renamed', 'renamed', 'gone']);
      expect((await segments.list()).map(({ name }) => name)).toEqual(['Aa', 'Artists']);
      expect([await segments.remove(saved.id), await segments.remove(saved.id)]).toEqual([true, false]);
      expect(await other.list()).toEqual([first]);
    });

    it('are bounded in number, and one of two with a name is saved', async () => {
      const { store, open } = await setUp();
      const { segments } = store;
      const other = open().segments;
      const raced = await Promise.all([segments, other, segments].map((each) => each.add('Same', { language: 'de' })));
      expect(raced.filter((result) => result === 'taken')).toHaveLength(2);
      for (let number = 1; number < MAX_SEGMENTS; number += 1) await added(segments, `Segment ${number}`, {});
      expect(await segments.add('One more', {})).toBe('full');
    });

    it.each(Array.from({ length: histories }, (_, index) => index + 1))(
      'select the people who meet all conditions (%i)',
      async (seed) => {
        const harness = await setUp({ mailsPerHour: 100_000 });
        const { store } = harness;
        const random = numbers(seed);
        const pick = <T>(values: readonly [T, ...T[]] | readonly T[]): T | undefined => values[random(values.length)];
        const got = await generatePeople(harness, random);
        const everyone: Known[] = [];
        for await (const person of store.people.all(EVERYONE)) {
          everyone.push({ ...person, language: got.languages.get(person.email) ?? null, got: got.campaigns });
        }
        for (let turn = 0; turn < 60; turn += 1) {
          const maybe = <T>(value: T): readonly T[] => (random(4) === 0 ? [value] : []);
          const conditions: Segment = Object.assign(
            {},
            ...maybe({ states: PERSON_STATES.filter(() => random(2) === 0) }).filter(({ states }) => states.length > 0),
            ...maybe({ source: pick(['fair', 'blog']) }),
            ...maybe({ campaign: pick(['launch', 'none']) }),
            ...maybe({ import: pick([got.file.id, randomUUID()]) }),
            ...maybe({ language: pick(['de', 'pt', 'fr']) }),
            ...maybe({ from: pick(['2026-02-20', '2026-02-27']), zone: 'Asia/Tokyo' }),
            ...maybe({ to: pick(['2026-02-25', '2026-03-01']) }),
            ...maybe({ fields: { role: pick([...VALUES, true]) ?? true } }),
            ...maybe({ fields: { news: pick(['true', true]) ?? true, ...(random(2) === 0 && { role: VALUES[0] }) } }),
            ...maybe({ invited_days_ago: random(20) }),
            ...maybe({ texts: [{ of: 'fields.role', test: 'none', values: [VALUES[random(3)] ?? '1'] }] }),
            ...maybe({ texts: [{ of: 'fields.role', test: 'part', values: ['"a"', 'RU'] }] }),
            ...maybe({ texts: [{ of: 'source', test: pick(['any', 'none']), values: ['fair', 'stand'] }] }),
            ...maybe({
              texts: [{ of: pick(['campaign', 'language', 'import', 'fields.news']), test: 'none', values: [] }],
            }),
            ...maybe({ with_campaign: pick([got.id, '999', 'nothing']) }),
            ...maybe({ without_campaign: pick([got.id, '999']) }),
          );
          const expected = everyone.filter((person) => matches(conditions, person, harness.clock.now, got.id));
          const emails = expected.map(({ email }) => email).toSorted();
          const filter: PeopleFilter = { ...EVERYONE, segment: { conditions, at: harness.clock.now } };
          expect([conditions, await listEmails(store, filter)]).toEqual([conditions, emails]);
          const size = (count: number) => [conditions, { count, is_partial: false }];
          expect([conditions, await store.people.count(filter)]).toEqual(size(emails.length));
          const audience = { states: CAMPAIGN_AUDIENCE, source: null, conditions };
          const reached = expected.filter(({ state }) => CAMPAIGN_AUDIENCE.includes(state)).length;
          expect([conditions, await store.campaigns.audienceSize(audience)]).toEqual(size(reached));
        }
      },
    );

    it('find each of several choices, and nothing that looks like one', async () => {
      const { store, clock } = await setUp();
      const likes = [
        'art',
        'art | music',
        'music | fine art | "A" \\ %s',
        'x"art',
        'art, music',
        'art |',
        true,
      ] as const;
      for (const [index, value] of likes.entries()) {
        await store.createSignup(exampleSignup({ email: `p${index}@x.io`, fields: { likes: value } }));
      }
      const find = async (value: string | true) => {
        const segment = { conditions: { fields: { likes: value } }, at: clock.now };
        return (await listEmails(store, { ...EVERYONE, segment }))
          .map((email) => email.slice(1, -'@x.io'.length))
          .join();
      };
      expect(await find('art')).toBe('0,1');
      expect(await find('music')).toBe('1,2');
      expect(await find('"A" \\ %s')).toBe('2');
      expect(await find('art | music')).toBe('1');
      expect(await find('ru')).toBe('');
      expect(await find(true)).toBe('0,1,2,3,4,5,6');
      const test = async (test: TextTest, ...values: string[]) => {
        const segment = { conditions: { texts: [{ of: 'fields.likes', test, values } as const] }, at: clock.now };
        return (await listEmails(store, { ...EVERYONE, segment }))
          .map((email) => email.slice(1, -'@x.io'.length))
          .join();
      };
      expect(await test('any', 'art', 'fine art')).toBe('0,1,2');
      expect(await test('none', 'music', 'x"art')).toBe('0,4,5,6');
      expect(await test('part', 'fine')).toBe('2');
    });

    it('narrow the other filters, in pages of any order', async () => {
      const harness = await setUp({ mailsPerHour: 100_000 });
      const { store, clock } = harness;
      await generatePeople(harness, numbers(3));
      const segment = { conditions: { states: CAMPAIGN_AUDIENCE }, at: clock.now };
      const filter: PeopleFilter = { ...EVERYONE, source: 'fair', search: '1', segment };
      const all = await listEmails(store, filter);
      expect(all.length).toBeGreaterThan(2);
      for (const sort of PEOPLE_SORTS) {
        const found: string[] = [];
        for (let after: string | null = null; ; ) {
          const page = await store.people.list({ ...filter, sort, limit: 2, after });
          found.push(...page.people.map(({ email }) => email));
          after = page.next;
          if (after === null) break;
        }
        expect(found.toSorted()).toEqual(all);
      }
    });

    it('narrow a campaign, which has a copy of them and never reaches people in other states', async () => {
      const { store } = await setUp({ mailsPerHour: 100_000 });
      const { campaigns } = store;
      for (const [name, language] of [
        ['a', 'de'],
        ['b', 'pt'],
        ['c', 'de'],
      ] as const) {
        await store.createSignup(exampleSignup({ email: `${name}@x.io` }), { language, confirm: name === 'c' });
      }
      while ((await claim(store)) !== null);
      const audience = { ...CONTENT.audience, conditions: { language: 'de' } };
      const first = await campaigns.create({ ...CONTENT, audience });
      expect(first.audience).toEqual(audience);
      expect(await campaigns.save(first.id, CONTENT, { revision: 'a', replaces: [first.revision] })).toBe(true);
      expect((await campaigns.find(first.id))?.audience).toEqual(CONTENT.audience);
      await campaigns.save(first.id, { ...CONTENT, audience }, { revision: 'b', replaces: ['a'] });
      await campaigns.change(first.id, 'sending');
      await campaigns.feed();
      const message = await claimed(store);
      expect([message.email, await claim(store)]).toEqual(['a@x.io', null]);
      await store.mails.recordOutcome(message, { state: 'sent' });
      await campaigns.feed();
      expect(await campaigns.find(first.id)).toMatchObject({ state: 'done', people: 1, sent: 1, audience });
      // The third person has not confirmed.
      const rest = await campaigns.create({
        ...CONTENT,
        audience: { ...CONTENT.audience, conditions: { without_campaign: first.id } },
      });
      await campaigns.change(rest.id, 'sending');
      await campaigns.feed();
      expect([(await claimed(store)).email, await claim(store)]).toEqual(['b@x.io', null]);
    });

    it('are counted among the newest people if the cost is bounded', async () => {
      const { store, clock } = await setUp();
      for (const name of ['a', 'b', 'c']) {
        await store.createSignup(exampleSignup({ email: `${name}@x.io` }), { language: name === 'c' ? 'pt' : 'de' });
        clock.now += 1;
      }
      const audience = { ...CONTENT.audience, conditions: { language: 'de' } };
      const { campaigns } = store;
      expect(await campaigns.audienceSize(audience)).toEqual({ count: 2, is_partial: false });
      expect(await campaigns.audienceSize(audience, 2)).toEqual({ count: 1, is_partial: true });
      expect(await campaigns.audienceSize(CONTENT.audience, 2)).toEqual({ count: 3, is_partial: false });
    });

    it('narrow whom a wave invites, and whose bounces are taken back', async () => {
      const { store, clock } = await setUp();
      const { list } = store;
      for (const name of ['a', 'b', 'c', 'd']) {
        const options = { language: name < 'c' ? 'de' : 'pt', confirm: false };
        await store.createSignup(exampleSignup({ email: `${name}@x.io` }), options);
        clock.now += 1;
      }
      const filter = { ...EVERYONE, segment: { conditions: { language: 'de' }, at: clock.now } };
      expect(await list.invite({ after: null, who: { count: 1, filter } })).toMatchObject({ people: 1 });
      expect(await listEmails(store, { ...EVERYONE, state: 'invited' })).toEqual(['a@x.io']);
      expect(await list.invite({ after: '1', who: { count: 9, filter } })).toMatchObject({ people: 1 });
      expect(await list.invite({ after: '2', who: { count: 9, filter } })).toBe('nobody');
      for (const name of ['b', 'd']) await list.changePerson(`${name}@x.io`, 'bounce', 'admin');
      expect(await list.restoreBounced({ count: 9, filter })).toBe(1);
      expect(await listEmails(store, { ...EVERYONE, state: 'bounced' })).toEqual(['d@x.io']);
    });
  });
}

/** A person with data that `Person` lacks. */
interface Known extends Person {
  readonly language: string | null;
  readonly import_id: string | null;
  /** The state of the campaign's message, by address. */
  readonly got: ReadonlyMap<string, string>;
}

/** Whether a person meets all conditions, implemented without a database. */
function matches(segment: Segment, person: Known, now: number, campaign: string): boolean {
  const { states, source, language, from, to, zone = 'UTC', fields = {}, invited_days_ago: days } = segment;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(person.created_at);
  const findMessage = (id: string) => (id === campaign ? person.got.get(person.email) : undefined);
  return [
    states === undefined || states.includes(person.state),
    source === undefined || person.source === source,
    segment.campaign === undefined || person.utm_campaign === segment.campaign,
    segment.import === undefined || person.import_id === segment.import,
    language === undefined || person.language === language,
    from === undefined || day >= from,
    to === undefined || day <= to,
    Object.entries(fields).every(([name, value]) =>
      value === true ? person.fields?.[name] !== undefined : person.fields?.[name] === value,
    ),
    days === undefined ||
      (person.state === 'invited' && person.invited_at !== null && person.invited_at <= now - days * DAY_MS),
    segment.with_campaign === undefined || findMessage(segment.with_campaign) === 'sent',
    segment.without_campaign === undefined || (findMessage(segment.without_campaign) ?? 'failed') === 'failed',
    (segment.texts ?? []).every(({ of, test, values }) => {
      const { source, utm_campaign: campaign, language, import_id, fields = {} } = person;
      const all = {
        source,
        campaign,
        language,
        import: import_id,
        'fields.role': fields.role,
        'fields.news': fields.news,
      };
      const found = Object.entries(all).find(([name]) => name === of)?.[1] ?? null;
      const has = values.some((value) =>
        test === 'part' ? String(found).toLowerCase().includes(value.toLowerCase()) : value === found,
      );
      return (values.length === 0 ? found !== null : found !== null && has) !== (test === 'none');
    }),
  ].every(Boolean);
}

/** 40 people with different values for everything that conditions can refer to. Some have a message of a campaign. */
async function generatePeople(
  { store, clock }: { readonly store: Store; readonly clock: { now: number } },
  random: (end: number) => number,
) {
  const file = { id: randomUUID(), name: 'people.csv' };
  const languages = new Map<string, string | null>();
  for (let number = 0; number < 40; number += 1) {
    const email = `p${number}@x${number}.io`;
    const fields = {
      ...(random(2) === 0 && { role: VALUES[random(3)] ?? VALUES[0] }),
      ...(random(2) === 0 && { news: true as const }),
    };
    const about = {
      source: random(2) === 0 ? 'fair' : 'blog',
      ...(random(2) === 0 && { utm_campaign: 'launch' }),
      ...(Object.keys(fields).length > 0 && { fields }),
    };
    if (number % 2 === 0) {
      const language = LANGUAGES[random(3)] ?? null;
      languages.set(email, language);
      await store.createSignup(exampleSignup({ email, ...about }), { language });
    } else {
      const state = PERSON_STATES[random(PERSON_STATES.length)] ?? 'pending';
      const created_at = NOW - random(15) * DAY_MS;
      const invited_at = random(3) === 0 ? null : NOW - random(20) * DAY_MS;
      const options = { welcome: false, ...(random(2) === 0 && { import: file }) };
      await store.list.importPeople([{ email, ...about, created_at, state, invited_at }], options);
    }
  }
  while ((await claim(store)) !== null);
  const { id } = await store.campaigns.create(CONTENT);
  await store.campaigns.change(id, 'sending');
  await store.campaigns.feed();
  const campaigns = new Map<string, string>();
  for (let turn = 0; turn < 12; turn += 1) {
    const message = await claim(store);
    if (message === null) break;
    const failed = { state: 'failed', reason: '552' } as const;
    if (turn % 3 === 0) await store.mails.recordOutcome(message, { state: 'sent' });
    if (turn % 3 === 1) await store.mails.recordOutcome(message, failed);
    campaigns.set(message.email, ['sent', 'failed', 'sending'][turn % 3] ?? 'sending');
  }
  for await (const person of store.people.all(EVERYONE)) {
    const isQueued = CAMPAIGN_AUDIENCE.includes(person.state) && !campaigns.has(person.email);
    if (isQueued) campaigns.set(person.email, 'queued');
  }
  clock.now += 1_000;
  return { id, file, languages, campaigns };
}

async function listEmails(store: Store, filter: PeopleFilter): Promise<readonly string[]> {
  return (await Array.fromAsync(store.people.all(filter))).map(({ email }) => email).toSorted();
}

async function added(segments: SegmentStore, name: string, conditions: Segment) {
  const saved = await segments.add(name, conditions);
  if (typeof saved === 'string') throw new Error(saved);
  return saved;
}
