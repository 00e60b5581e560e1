import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import {
  afterStop,
  type CampaignState,
  campaignRoom,
  findSendingEnd,
  findStart,
  mayBecome,
  mayBeFollowed,
  scheduleStart,
  stateToRepeat,
} from './campaign.ts';

it.each([
  ['nothing is queued', { queued: 0, waiting: 0 }, 300],
  ['half of the window has been sent', { queued: 150, waiting: 150 }, 150],
  ['less than half has been sent', { queued: 151, waiting: 151 }, 0],
  ['the mail server deferred most', { queued: 4_900, waiting: 20 }, 100],
  ['it deferred all that may be queued', { queued: 5_000, waiting: 0 }, 0],
  ['more is queued than may be', { queued: 5_100, waiting: 0 }, 0],
])('there is room for messages if %s', (_, counts, room) => {
  expect(campaignRoom(counts)).toBe(room);
});

const NOW = Date.UTC(2026, 11, 21, 9, 40);

it.each([
  [0, 160, '09:00'],
  [1, 160, '10:00'],
  [160, 160, '10:00'],
  [161, 160, '11:00'],
  [800, 160, '14:00'],
])('%i messages at %i an hour are sent until %s', (messages, perHour, clock) => {
  expect(new Date(findSendingEnd(messages, perHour, NOW) ?? 0).toISOString()).toBe(`2026-12-21T${clock}:00.000Z`);
});

it('without a quota, campaigns are never sent', () => {
  expect(findSendingEnd(1, 0, NOW)).toBeNull();
});

it('a follow-up starts after its days, or at once and not late if they have passed', () => {
  const time = fc.integer({ min: 0, max: 1_000 * DAY_MS });
  const ended = fc.option(time);
  fc.assert(
    fc.property(ended, fc.integer({ min: 1, max: 90 }), time, (ended_at, after_days, now) => {
      const first = { id: '1', ended_at };
      const followUp = { follows: '1', after_days, scheduled_at: null };
      const scheduled_at = scheduleStart(followUp, null, first, now);
      const start = findStart({ ...followUp, scheduled_at }, [first]);
      expect(start).toBe(ended_at === null ? null : Math.max(now, ended_at + after_days * DAY_MS));
    }),
  );
});

it('a draft with another text may be cancelled, but neither started nor scheduled', () => {
  const draft = { state: 'draft', revision: 'new', follows: null, series: null } as const;
  const states: CampaignState[] = ['sending', 'scheduled', 'cancelled'];
  expect(states.map((to) => mayBecome(draft, to, 'old'))).toEqual([false, false, true]);
  expect(states.map((to) => mayBecome(draft, to, 'new'))).toEqual([true, true, true]);
});

it('only resuming a campaign that complaints had paused is remembered', () => {
  const stopped = { stopped_at: 5, resumed_at: 2 };
  expect(afterStop(stopped, 'sending', 9)).toEqual({ stopped_at: null, resumed_at: 9 });
  expect(afterStop(stopped, 'cancelled', 9)).toEqual({ stopped_at: null, resumed_at: 2 });
  expect(afterStop({ stopped_at: null, resumed_at: 2 }, 'sending', 9)).toEqual({ stopped_at: null, resumed_at: 2 });
});

it.each([
  ['done', 'sending'],
  ['sending', 'sending'],
  ['paused', 'paused'],
  ['cancelled', null],
] as const)('a message of a campaign that is %s is sent again while it is %s', (state, repeated) => {
  expect(stateToRepeat(state)).toBe(repeated);
});

it('a follow-up waits for its own campaign, not for another that has ended', () => {
  const followUp = { follows: '2', after_days: 3, scheduled_at: null };
  const [other, first] = [
    { id: '1', ended_at: 5 },
    { id: '2', ended_at: 7 },
  ];
  expect(findStart(followUp, [other, first])).toBe(7 + 3 * DAY_MS);
  expect(findStart(followUp, [other])).toBeNull();
});

it.each([
  [{ started_at: 1, follows: null, series: null }, true],
  [{ started_at: null, follows: null, series: null }, false],
  [{ started_at: 1, follows: '1', series: null }, false],
  [{ started_at: 1, follows: null, series: { after: 'joined' as const, previous: null, days: 1 } }, false],
])('%j may have a follow-up: %s', (campaign, may) => {
  expect(mayBeFollowed(campaign)).toBe(may);
});
