import { fc } from '@early-access-kit/testkit/fast-check';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { CLOCK_TOLERANCE_MS, HOUR_MS, type SessionRecord, type SessionStart } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { type AnalyticsFilter, NO_TALLIES } from '../../../app/analytics/analytics.ts';
import { computeAnalytics } from '../../../app/analytics/compute-analytics.ts';
import { readSessions, readSignups } from '../../../fixtures/read-back.ts';
import { tempStore } from '../../../fixtures/temp-store.ts';

const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 2, 28, 20, 30);
const SESSIONS = 8;

const index = fc.nat(SESSIONS - 1);
const ms = fc.oneof(fc.constantFrom(0, 1, HOUR_MS - 1, HOUR_MS, DAY_MS - 1, DAY_MS, 3 * DAY_MS), fc.nat(30 * HOUR_MS));

const step = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms }),
  fc.record({
    kind: fc.constant('start' as const),
    index,
    lag: fc.integer({ min: -CLOCK_TOLERANCE_MS, max: CLOCK_TOLERANCE_MS }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    index,
    page_count: fc.integer({ min: 1, max: 3 }),
    page_path: fc.constantFrom('/', '/join', '/prices'),
    isView: fc.boolean(),
    total_duration: fc.nat(20),
    max_scroll_depth: fc.constantFrom(0, 49, 50, 100),
    lag: fc.nat(600_000),
  }),
  fc.record({ kind: fc.constant('signup' as const), index, person: fc.nat(3), known: fc.boolean() }),
  fc.record({ kind: fc.constant('erase' as const), person: fc.nat(3) }),
  fc.record({ kind: fc.constant('prune' as const), age: ms, limit: fc.integer({ min: 1, max: 3 }) }),
);

const session = fc.record({
  visitor: fc.nat(2),
  referrer: fc.constantFrom(
    null,
    'https://www.search.example/q?x=1',
    'https://search.example/',
    'android-app://com.x/',
    'not a URL',
  ),
  utm_source: fc.constantFrom(undefined, 'news', 'News'),
  landing_path: fc.constantFrom(undefined, '/', '/join'),
  browser: fc.constantFrom('Firefox' as const, 'Chrome' as const),
  is_returning_visitor: fc.boolean(),
});

/** Edges on hours and days of a zone, whole or half an hour off, and anywhere. */
const edge = fc.record({
  days: fc.integer({ min: -2, max: 8 }),
  hours: fc.nat(23),
  ms: fc.constantFrom(0, 0, 0, 1_800_000, 1, 2_700_001),
});
const query = fc.record({
  edges: fc.array(edge, { minLength: 2, maxLength: 5 }),
  withPrevious: fc.boolean(),
  /** Hours that are compared with; null: until the period starts. */
  compared: fc.option(fc.nat(80)),
  filter: fc.constantFrom<AnalyticsFilter>(
    {},
    {},
    { utm_source: 'news' },
    { referrer_host: 'search.example', browser: 'Chrome' },
    { landing_path: '', visitor_type: 'new' },
    { browser: '' },
  ),
});

it('equals `computeAnalytics` after any history, for any period and filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(session, { minLength: SESSIONS, maxLength: SESSIONS }),
      fc.array(step, { maxLength: 30 }),
      fc.array(query, { minLength: 4, maxLength: 4 }),
      async (given, steps, queries) => {
        const clock = { now: START };
        const { store, raw } = tempStore({ clock: () => clock.now });
        const pruned: SessionRecord[] = [];
        let prunedUntil = 0;
        const viewed = new Map<string, Map<number, string>>();
        // Nothing is left to recognize a visitor by whose sessions are pruned.
        const makeSessions = () =>
          given.map(
            ({ visitor, utm_source, landing_path, ...fields }, number): SessionStart =>
              sessionOf({
                id: `session-${pruned.length}-${number}`,
                visitor_id: `visitor-${pruned.length}-${visitor}`,
                ...fields,
                ...(utm_source !== undefined && { utm_source }),
                ...(landing_path !== undefined && { landing_path }),
              }),
          );
        let sessions = makeSessions();
        for (const action of steps) {
          if (action.kind === 'wait') clock.now += action.ms;
          else if (action.kind === 'erase') await store.erase(`person-${action.person}@example.org`);
          else if (action.kind === 'prune') {
            const before = readSessions(raw);
            await store.prune(clock.now - DAY_MS - action.age, action.limit);
            const left = new Set(readSessions(raw).map(({ id }) => id));
            const removed = before.filter(({ id }) => !left.has(id));
            // Only stored sessions say who is on the site now.
            pruned.push(...removed.map((session) => ({ ...session, session_end: null })));
            if (left.size < before.length) {
              sessions = makeSessions();
              prunedUntil = Math.max(prunedUntil, clock.now - DAY_MS - action.age);
            }
          } else {
            const start = { ...(sessions[action.index] ?? sessionOf()), session_start: clock.now };
            if (action.kind === 'start') await store.startSession({ ...start, session_start: clock.now - action.lag });
            else if (action.kind === 'update') {
              const { kind: _, index: __, lag, isView, ...totals } = action;
              const { page_count, page_path } = totals;
              if (isView && page_count > 1) {
                const paths = viewed.get(start.id) ?? new Map();
                const [lowest] = [paths.get(page_count) ?? page_path, page_path].sort();
                viewed.set(start.id, paths.set(page_count, lowest));
              }
              const session_end = isView ? null : clock.now;
              await store.updateSession(
                start.id,
                updateOf({ ...start, session_start: clock.now - lag }, { ...totals, session_end }),
              );
            } else {
              const email = `person-${action.person}@example.org`;
              await store.createSignup(
                signupOf({
                  email,
                  session_id: action.known ? start.id : null,
                  utm_source: 'own',
                  page_url: 'https://x.io/own?x',
                }),
              );
            }
          }
        }
        const views = new Map([...viewed].map(([id, paths]) => [id, [...paths.values()]]));
        const [rows, signups] = [[...pruned, ...readSessions(raw)], readSignups(raw)];
        // Only the sums of days are left of pruned sessions.
        const toEdge = (time: number) => (pruned.length === 0 ? time : Math.round(time / DAY_MS) * DAY_MS);
        for (const { edges, withPrevious, compared, filter } of queries) {
          const times = edges.map(({ days, hours, ms: rest }) =>
            toEdge(START - 20.5 * HOUR_MS + days * DAY_MS + hours * HOUR_MS + rest),
          );
          const [previousStart = 0, ...rest] = [...new Set(times)].sort((a, b) => a - b);
          const buckets = withPrevious ? rest.slice(0, -1) : [previousStart, ...rest.slice(0, -1)];
          const end = rest.at(-1) ?? previousStart + 1;
          if (buckets.length === 0) continue;
          const asked = {
            buckets,
            end,
            previousStart: withPrevious ? previousStart : null,
            ...(compared !== null && { previousEnd: toEdge(previousStart + compared * HOUR_MS) }),
            filter,
          };
          const expected = computeAnalytics({ sessions: rows, signups, views, tallies: NO_TALLIES }, asked, clock.now);
          // The bar of a single day of which only the sums are left counts visitors as the period does.
          const isOfSums = buckets.length === 1 && (buckets[0] ?? end) < prunedUntil && Object.keys(filter).length > 0;
          const { visitors } = expected.figures;
          expect(await store.analytics.read(asked)).toEqual({
            ...expected,
            ...(isOfSums && { buckets: expected.buckets.map((bar) => ({ ...bar, visitors })) }),
          });
        }
        expect(await store.analytics.progress()).toBe(1);
        store.close();
      },
    ),
    { numRuns: 50 },
  );
});
