import { DAY_MS, HOUR_MS, type SessionRecord } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import {
  type AnalyticsFilter,
  type AnalyticsQuery,
  MAX_VALUES_PER_DAY,
  NO_TALLIES,
  OTHER,
} from '../app/analytics/analytics.ts';
import { computeAnalytics } from '../app/analytics/compute-analytics.ts';
import { EVERYONE } from '../app/people/people.ts';
import { exampleSession, exampleSignup, numbers, updateOf } from './examples.ts';
import { claimed, deliver, linkHash, NOW, type SetUp } from './harness.ts';

/** Midnight UTC of the day of `NOW`. */
const TODAY = NOW - (NOW % DAY_MS);

/** Hours and days in zones with offsets of whole hours, half hours, and arbitrary milliseconds. */
const PERIODS: readonly Omit<AnalyticsQuery, 'filter'>[] = [
  { buckets: [TODAY, TODAY + DAY_MS, TODAY + 2 * DAY_MS], end: TODAY + 3 * DAY_MS, previousStart: TODAY - 3 * DAY_MS },
  { buckets: [TODAY - HOUR_MS, TODAY + 23 * HOUR_MS], end: TODAY + 47 * HOUR_MS, previousStart: TODAY - 49 * HOUR_MS },
  { buckets: [TODAY + 5.5 * HOUR_MS, TODAY + 29.5 * HOUR_MS], end: TODAY + 53.5 * HOUR_MS, previousStart: null },
  { buckets: [NOW - 777], end: NOW + 40 * HOUR_MS + 1, previousStart: NOW - 1_000_000 },
  { buckets: [TODAY - 400 * DAY_MS], end: TODAY + 400 * DAY_MS, previousStart: null },
  {
    buckets: [TODAY, TODAY + DAY_MS],
    end: TODAY + 2 * DAY_MS,
    previousStart: TODAY - 365 * DAY_MS,
    previousEnd: TODAY + DAY_MS,
  },
  { buckets: [TODAY + 100 * DAY_MS], end: TODAY + 101 * DAY_MS, previousStart: TODAY + 99 * DAY_MS },
];
/** Only daily totals remain of pruned sessions. */
function isOfDays({ buckets, end, previousStart }: (typeof PERIODS)[number]): boolean {
  return [...buckets, end, previousStart ?? end].every((time) => time % DAY_MS === 0);
}
const FILTERS: readonly AnalyticsFilter[] = [
  {},
  { utm_source: 'news' },
  { referrer_host: 'search.example', browser: 'Chrome' },
  { landing_path: '', visitor_type: 'new' },
  { browser: '' },
  { utm_campaign: 'nothing has this' },
  { utm_source: 'new\u0000s' },
];

export function analyticsContract(setUp: SetUp): void {
  describe('analytics', () => {
    it('are zero for an empty database', async () => {
      const { store } = await setUp();
      for (const period of PERIODS) {
        const read = await store.analytics.read({ ...period, filter: {} });
        expect(read).toEqual(
          computeAnalytics(
            { sessions: [], signups: [], views: new Map(), tallies: read.tallies },
            { ...period, filter: {} },
            NOW,
          ),
        );
      }
      expect(await store.analytics.progress()).toBe(1);
    });

    it('break down by the country with which a session was first stored, until it is erased', async () => {
      const { store, sessions } = await setUp();
      const at = (minute: number) => exampleSession(NOW - minute * 60_000);
      const [german, french, late, unknown] = [at(1), at(2), at(3), at(4)];
      await store.startSession(german, 'DE');
      await store.startSession(german, 'FR');
      await store.updateSession(german.id, updateOf(german), 'IT');
      await store.startSession(french, 'FR');
      await store.updateSession(late.id, updateOf(late), 'DE');
      await store.startSession(unknown);
      const signup = exampleSignup({ session_id: german.id });
      await store.createSignup(signup);
      const query = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null };
      const read = async (filter: AnalyticsFilter = {}) => store.analytics.read({ ...query, filter });
      const row = (value: string, visitors: number, signups: number) => ({ value, visitors, signups, joined: 0 });
      expect((await read()).breakdowns.country).toEqual([row('DE', 2, 1), row('', 1, 0), row('FR', 1, 0)]);
      expect((await read({ country: 'DE' })).figures).toMatchObject({ sessions: 2, visitors: 2, signups: 1 });
      const stored = new Map((await sessions()).map((session) => [session.id, session.country]));
      expect([german, french, late, unknown].map(({ id }) => stored.get(id))).toEqual(['DE', 'FR', 'DE', undefined]);
      const [person] = await Array.fromAsync(store.people.all(EVERYONE));
      expect((await store.people.find(person?.id ?? ''))?.session).toMatchObject({ id: german.id, country: 'DE' });
      await store.erase(signup.email);
      expect((await read()).breakdowns.country).toEqual([row('', 1, 0), row('DE', 1, 0), row('FR', 1, 0)]);
    });

    it.each([1, 2, 3, 4])(
      'equal `computeAnalytics`, after rows were stored, merged, erased or pruned (%i)',
      async (seed) => {
        const { store, clock, sessions, signups } = await setUp();
        const pruned: SessionRecord[] = [];
        const viewed = new Map<string, Map<number, string>>();
        const random = numbers(seed);
        const one = <T>(values: readonly T[], fallback: T): T => values[random(values.length)] ?? fallback;
        const example = (index: number) => {
          const utm_source = one(['', 'news', 'News'], '');
          const landing_path = one(['', '/', '/join'], '');
          return exampleSession(clock.now, {
            id: `session-${seed}-${clock.now}-${pruned.length}-${index}`,
            // Visitors whose sessions were pruned cannot be recognized, so new ones are used.
            visitor_id: `visitor-number-${pruned.length}-${random(4)}`,
            referrer: one([null, 'https://www.search.example/?q=x', 'https://search.example/', 'not a URL'], null),
            browser: one(['Chrome', 'Firefox'], 'Chrome'),
            is_returning_visitor: random(2) === 0,
            ...(utm_source && { utm_source }),
            ...(landing_path && { landing_path }),
          });
        };
        let known = Array.from({ length: 10 }, (_, index) => example(index));
        const toEmail = (person: number) => `person-${person}@example.org`;
        for (let step = 0; step < 60; step += 1) {
          const session = { ...one(known, example(0)), session_start: clock.now - random(2 * HOUR_MS) };
          switch (random(8)) {
            case 0:
              clock.now += one([1, HOUR_MS, 5 * HOUR_MS, DAY_MS, 3 * DAY_MS], 0);
              // No page stays open for days before someone signs up.
              known = known.map((_, index) => example(index));
              break;
            case 1:
              await store.startSession(session);
              break;
            case 2:
              await store.createSignup(
                exampleSignup({ email: toEmail(random(6)), session_id: session.id, utm_source: 'own' }),
              );
              break;
            case 3:
              await store.createSignup(exampleSignup({ email: toEmail(random(6)), page_url: 'https://x.io/own?x=1' }));
              break;
            case 4:
              if (random(3) === 0) await store.erase(toEmail(random(6)));
              break;
            case 5:
              if (random(6) !== 0) break;
              {
                const before = await sessions();
                await store.prune(clock.now - 3 * DAY_MS - random(DAY_MS), 2);
                const left = new Set((await sessions()).map(({ id }) => id));
                pruned.push(...before.filter(({ id }) => !left.has(id)));
                if (left.size < before.length) known = known.map((_, index) => example(index));
              }
              break;
            default: {
              const totals = { page_count: 1 + random(3), total_duration: random(20), max_scroll_depth: random(101) };
              const session_end = random(2) === 0 ? clock.now : null;
              // Every update about a view has the same path.
              const page_path = one(['/', '/prices', '/join'].slice(totals.page_count - 1), '/');
              if (session_end === null && totals.page_count > 1) {
                const paths = viewed.get(session.id) ?? new Map();
                const [lowest] = [paths.get(totals.page_count) ?? page_path, page_path].sort();
                viewed.set(session.id, paths.set(totals.page_count, lowest));
              }
              await store.updateSession(session.id, updateOf(session, { ...totals, session_end, page_path }));
            }
          }
        }
        const [stored, made] = [[...pruned, ...(await sessions())], await signups()];
        const views = new Map([...viewed].map(([id, paths]) => [id, [...paths.values()]]));
        for (const period of pruned.length === 0 ? PERIODS : PERIODS.filter(isOfDays)) {
          for (const filter of FILTERS) {
            const query = { ...period, filter };
            const read = await store.analytics.read(query);
            expect(read).toEqual(
              computeAnalytics({ sessions: stored, signups: made, views, tallies: read.tallies }, query, clock.now),
            );
          }
        }
      },
    );

    it('count a signup where its session came from, also if the session is stored later or erased', async () => {
      const { store } = await setUp();
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const sources = async () => (await store.analytics.read(query)).breakdowns.utm_source;
      const session = exampleSession(NOW, { utm_source: 'news' });
      for (const email of ['a@x.io', 'b@x.io']) {
        await store.createSignup(exampleSignup({ email, session_id: session.id, utm_source: 'own' }));
      }
      expect(await sources()).toEqual([{ value: 'own', visitors: 0, signups: 2, joined: 0 }]);
      await store.startSession(session);
      expect(await sources()).toEqual([{ value: 'news', visitors: 1, signups: 2, joined: 0 }]);
      await store.erase('a@x.io');
      expect(await sources()).toEqual([{ value: 'own', visitors: 0, signups: 1, joined: 0 }]);
    });

    it('have the visitors of a row of a breakdown when filtered by it, and in bars that add up to them', async () => {
      const { store, clock } = await setUp();
      const visit = async (visitor_id: string, hour: number, utm_source: string) => {
        clock.now = TODAY + hour * HOUR_MS;
        await store.startSession(exampleSession(clock.now, { visitor_id, utm_source }));
      };
      for (const hour of [44, 47, 49, 70.5]) await visit('visitor-number-1', hour, 'news');
      await visit('visitor-number-2', 71, 'other');
      await visit('visitor-number-2', 71.5, 'news');
      const edges = [22.5, 46.5, 70.5].map((hours) => TODAY + hours * HOUR_MS);
      const query = { buckets: edges, end: TODAY + 94.5 * HOUR_MS, previousStart: null };
      const row = (await store.analytics.read({ ...query, filter: {} })).breakdowns.utm_source.find(
        ({ value }) => value === 'news',
      );
      const { figures, buckets } = await store.analytics.read({ ...query, filter: { utm_source: 'news' } });
      expect(row?.visitors).toBe(2);
      expect(figures.visitors).toBe(2);
      expect(buckets.map(({ visitors }) => visitors)).toEqual([1, 1, 0]);
    });

    it('count a visitor once in each period and each bar, wherever they begin and end', async () => {
      const { store, clock, sessions } = await setUp();
      const start = TODAY + 10 * HOUR_MS;
      for (const [place, minute] of [-30, 10, 20, 50, 70, 90, 835, 845, 900].entries()) {
        clock.now = start + minute * 60_000;
        await store.startSession(
          exampleSession(clock.now, { visitor_id: `visitor-number-${place % 2}`, utm_source: 'news' }),
        );
      }
      const stored = await sessions();
      const evening = start - 640 * 60_000;
      const edges = [-40, 0, 5, 15, 55, 60, 120, 780, 840, 870, 960].map((minute) => start + minute * 60_000);
      const periods = [evening, ...edges].flatMap((from) =>
        edges.filter((end) => end > from).map((end) => ({ from, end })),
      );
      for (const { from, end } of periods) {
        const previousStart = from === evening ? null : evening;
        for (const filter of [{}, { utm_source: 'news' }]) {
          const query = { buckets: [from, Math.round((from + end) / 2)], end, previousStart, filter };
          const read = await store.analytics.read(query);
          const rows = { sessions: stored, signups: [], views: new Map(), tallies: read.tallies };
          expect(read).toEqual(computeAnalytics(rows, query, clock.now));
        }
      }
    });

    it('have a bounded number of values a day, and lose no visitor by it', async () => {
      const { store } = await setUp();
      const count = MAX_VALUES_PER_DAY + 5;
      await store.startSession(exampleSession(NOW - DAY_MS, { utm_source: 'of-yesterday' }));
      const sessions = Array.from({ length: count }, (_, index) =>
        exampleSession(NOW, { utm_source: `source-${index}` }),
      );
      await Promise.all(sessions.map((session) => store.startSession(session)));
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const { breakdowns, figures } = await store.analytics.read(query);
      const visitors = breakdowns.utm_source.reduce((sum, row) => sum + row.visitors, 0);
      expect([figures.visitors, visitors]).toEqual([count, count]);
      expect(breakdowns.utm_source.length).toBeLessThanOrEqual(100);
      const countSessions = async (filter: AnalyticsFilter) =>
        (await store.analytics.read({ ...query, filter })).figures.sessions;
      const countSessionsBySource = (utm_source: string) => countSessions({ utm_source });
      expect(await countSessionsBySource(OTHER)).toBe(count - MAX_VALUES_PER_DAY);
      // Values known from the day before do not fit today. Values known today still fit, combined with other values.
      await store.startSession(exampleSession(NOW, { utm_source: 'of-yesterday' }));
      const [known = ''] = breakdowns.utm_source.map(({ value }) => value).filter((value) => value !== OTHER);
      await store.startSession(exampleSession(NOW, { utm_source: known, browser: 'Safari' }));
      expect([await countSessionsBySource(OTHER), await countSessionsBySource(known)]).toEqual([
        count - MAX_VALUES_PER_DAY + 1,
        2,
      ]);
      // Each dimension has its own limit.
      await store.startSession(exampleSession(NOW, { landing_path: '/join' }));
      expect(await countSessions({ landing_path: '/join' })).toBe(1);
    });

    it('count forged values that are too long for an index as others, and store their sessions', async () => {
      const { store } = await setUp();
      const random = numbers(1);
      const createPath = () =>
        Array.from({ length: 1_024 }, () => String.fromCharCode(0x4e00 + random(20_000))).join('');
      const session = exampleSession(NOW, { landing_path: createPath() });
      await store.startSession(session);
      await store.updateSession(session.id, updateOf(session, { page_count: 2, page_path: createPath() }));
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const { figures, pages } = await store.analytics.read({ ...query, filter: { landing_path: OTHER } });
      expect(figures.sessions).toBe(1);
      expect(pages).toEqual([{ value: OTHER, views: 2 }]);
    });

    it('count each view of a page once, in any order and however often its update is repeated', async () => {
      const { store, open } = await setUp();
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const sent = [
        { page_count: 2, page_path: '/prices' },
        { page_count: 3, page_path: '/about' },
        { page_count: 4, page_path: '/prices' },
        // Updates without a view: for a hidden page, from an older tracker, and beyond the limit.
        { page_count: 4, page_path: '/hidden', session_end: NOW },
        { page_count: 5 },
        { page_count: 101, page_path: '/beyond' },
      ];
      const random = numbers(1);
      for (const landing_path of ['/', '/prices', '/about']) {
        const session = exampleSession(NOW, { landing_path });
        const shuffled = [...sent, ...sent].toSorted(() => random(3) - 1);
        if (landing_path !== '/') await store.startSession(session);
        const [one, other] = [store, open()];
        await Promise.all(
          shuffled.map((totals, index) =>
            (index % 2 === 0 ? one : other).updateSession(session.id, updateOf(session, totals)),
          ),
        );
        await store.startSession(session);
      }
      const { pages } = await store.analytics.read(query);
      const expected = [
        { value: '/prices', views: 7 },
        { value: '/about', views: 4 },
        { value: '/', views: 1 },
      ];
      expect(pages).toEqual(expected);
    });

    it('have a bounded number of pages a day, and lose no view by it', async () => {
      const { store } = await setUp();
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const count = MAX_VALUES_PER_DAY + 5;
      const view = (page_path: string, start: number) => {
        const session = exampleSession(start, { landing_path: '/' });
        return store.updateSession(session.id, updateOf(session, { page_count: 2, page_path }));
      };
      await view('/of-yesterday', NOW - DAY_MS);
      // Sessions start in order of arrival, because some stores apply a day's limit in one order, some in the other.
      await view('/known', NOW - 2);
      await Promise.all(Array.from({ length: count }, (_, index) => view(`/page-${index}`, NOW - 1)));
      // A known page fits. One that was only known the day before does not.
      for (const path of ['/known', '/of-yesterday', '/of-yesterday']) await view(path, NOW);
      const { pages } = await store.analytics.read(query);
      const views = new Map(pages.map((page) => [page.value, page.views]));
      expect(views.size).toBeLessThanOrEqual(100);
      expect(views.get('/')).toBe(count + 4);
      expect(views.get('/known')).toBe(2);
      expect(views.get('/of-yesterday')).toBeUndefined();
      const sum = [...views.values()].reduce((total, one) => total + one, 0);
      expect(sum).toBe(2 * (count + 4));
    });

    it('lose the views of erased sessions, but not of pruned ones', async () => {
      const { store, clock } = await setUp();
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const [erased, other] = [exampleSession(NOW), exampleSession(NOW)];
      for (const session of [erased, other]) {
        await store.updateSession(session.id, updateOf(session, { page_count: 2, page_path: '/b' }));
      }
      await store.updateSession(erased.id, updateOf(erased, { page_count: 3, page_path: '/invite/ada' }));
      await store.createSignup(exampleSignup({ email: 'a@x.io', session_id: erased.id }));
      await store.erase('a@x.io');
      await store.updateSession(erased.id, updateOf(erased, { page_count: 4, page_path: '/b' }));
      const left = [
        { value: '', views: 1 },
        { value: '/b', views: 1 },
      ];
      expect((await store.analytics.read(query)).pages).toEqual(left);
      clock.now += 40 * DAY_MS;
      while ((await store.prune(clock.now, 1)) > 0);
      expect((await store.analytics.read(query)).pages).toEqual(left);
    });

    it('stay as they are when sessions are pruned, whether or not their visitors come back', async () => {
      const { store, clock } = await setUp();
      const visit = async (visitor_id: string, days: number, utm_source: string) => {
        clock.now = TODAY + days * DAY_MS + HOUR_MS;
        const session = exampleSession(clock.now, { visitor_id, utm_source });
        await store.startSession(session);
        return session;
      };
      await visit('visitor-number-1', 0, 'news');
      const first = await visit('visitor-number-2', 1, 'news');
      await store.createSignup(exampleSignup({ email: 'a@x.io', session_id: first.id, utm_source: 'own' }));
      for (const days of [31, 32]) await visit('visitor-number-1', days, 'other');
      const erased = await visit('visitor-number-1', 33, 'other');
      await store.createSignup(exampleSignup({ email: 'b@x.io', session_id: erased.id }));
      const buckets = Array.from({ length: 41 }, (_, day) => TODAY + day * DAY_MS);
      const query = { buckets, end: TODAY + 41 * DAY_MS, previousStart: null };
      const read = () =>
        Promise.all([{}, { utm_source: 'news' }].map((filter) => store.analytics.read({ ...query, filter })));
      clock.now = TODAY + 40 * DAY_MS;
      const before = await read();
      expect(before.map(({ figures }) => [figures.sessions, figures.visitors])).toEqual([
        [5, 2],
        [2, 2],
      ]);
      while ((await store.prune(TODAY + 5 * DAY_MS, 1)) > 0);
      expect(await read()).toEqual(before);

      await store.erase('b@x.io');
      await visit('visitor-number-1', 40, 'other');
      expect((await read()).map(({ figures }) => [figures.sessions, figures.visitors, figures.signups])).toEqual([
        [5, 2, 1],
        [2, 2, 1],
      ]);
    });

    it('count imported people as people, and not as signups', async () => {
      const { store, clock } = await setUp();
      await store.createSignup(exampleSignup({ email: 'a@x.io', utm_source: 'news' }));
      const imported = { source: 'import', created_at: NOW - HOUR_MS, state: 'subscribed' } as const;
      const people = ['b@x.io', 'c@x.io', 'a@x.io'].map((email) => ({ ...imported, email }));
      await store.list.importPeople(people, { welcome: false });
      await store.list.importPeople([{ ...imported, email: 'd@x.io', created_at: NOW - 400 * DAY_MS }], {
        welcome: false,
      });
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const { figures, buckets, breakdowns, first, tallies } = await store.analytics.read(query);
      expect(figures).toMatchObject({ signups: 1, sessions: 0 });
      expect(buckets).toEqual([{ start: TODAY, ...figures }]);
      expect(breakdowns.utm_source).toEqual([{ value: 'news', visitors: 0, signups: 1, joined: 0 }]);
      expect(first).toBe(NOW - (NOW % HOUR_MS));
      expect(tallies).toEqual({ ...NO_TALLIES, imported: 3 });
      expect((await store.readSummary()).email_signups).toBe(4);
      // Erasing an imported person does not reduce the signups.
      await store.erase('b@x.io');
      clock.now += HOUR_MS;
      expect((await store.analytics.read(query)).figures).toMatchObject({ signups: 1 });
    });

    it('count who of the signups of each source has joined since', async () => {
      const { store, clock } = await setUp();
      for (const utm_source of ['news', 'forum']) {
        await store.createSignup(exampleSignup({ email: `${utm_source}@x.io`, utm_source }));
        await deliver(store);
        clock.now += 1_000;
      }
      const joined = async (filter: AnalyticsFilter, end = TODAY + DAY_MS) => {
        const query: AnalyticsQuery = { buckets: [TODAY], end, previousStart: null, filter };
        const { breakdowns } = await store.analytics.read(query);
        return breakdowns.utm_source.map((row) => [row.value, row.signups, row.joined]);
      };
      await store.list.invite({ after: null, who: { count: 1, filter: EVERYONE } });
      const invite = await claimed(store);
      const open = [
        ['forum', 1, 0],
        ['news', 1, 0],
      ];
      expect(await joined({})).toEqual(open);
      clock.now += 2 * DAY_MS;
      expect(await store.list.redeemInvite(linkHash(invite))).toMatchObject({ result: 'redeemed' });
      // They count on the day of their signup.
      expect(await joined({})).toEqual([
        ['forum', 1, 0],
        ['news', 1, 1],
      ]);
      expect(await joined({ utm_source: 'news' }, NOW + 1)).toEqual([['news', 1, 1]]);
      expect(await joined({ utm_source: 'forum' })).toEqual([['forum', 1, 0]]);
      await store.erase('news@x.io');
      expect(await joined({})).toEqual([['forum', 1, 0]]);
    });

    it('add up tallies of all processes', async () => {
      const { store, open, clock } = await setUp();
      await Promise.all([
        store.analytics.addTallies({ ...NO_TALLIES, robots: 2, human_replayed: 1 }),
        open().analytics.addTallies({ ...NO_TALLIES, robots: 3, human_missing: 4 }),
      ]);
      const query: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };
      const { tallies } = await store.analytics.read(query);
      expect(tallies).toEqual({ ...NO_TALLIES, robots: 5, human_replayed: 1, human_missing: 4 });
      clock.now += 2 * DAY_MS;
      const later = await store.analytics.read({ ...query, buckets: [TODAY + DAY_MS], end: TODAY + 3 * DAY_MS });
      expect(later.tallies).toEqual(NO_TALLIES);
    });
  });
}
