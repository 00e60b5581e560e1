import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import type { CampaignState } from './campaign.ts';
import {
  decideStep,
  describeStart,
  describeTiming,
  inOrder,
  isBeyond,
  MAX_STEPS,
  mayRetime,
  mayTime,
  pausedBefore,
  planStep,
  type SeriesStep,
} from './series.ts';
import type { StepTiming } from './step-timing.ts';

const DAYS = fc.integer({ min: 1, max: 4 });
const PEOPLE = 4;
const ACTION = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('feed' as const), page: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('deliver' as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('join' as const), person: fc.nat(PEOPLE - 1) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('change' as const),
      step: fc.nat(3),
      to: fc.constantFrom<CampaignState>('sending', 'sending', 'paused', 'cancelled'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('retime' as const), step: fc.nat(3), days: DAYS }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave' as const), person: fc.nat(PEOPLE - 1) }) },
);

interface Queued {
  readonly person: number;
  readonly step: string;
  readonly at: number;
  readonly moment: number;
  readonly days: number;
  isSent: boolean;
}

/** A store of people who join, whose steps are changed by the decisions of the application alone. */
function createWorld(days: readonly number[]) {
  let now = 1_000 * DAY_MS;
  let steps: readonly (SeriesStep<number> & { readonly started_at: number | null })[] = days.map((each, index) => ({
    id: String(index),
    state: 'draft',
    timing: { after: 'joined', previous: null, days: each },
    reached: null,
    started_at: null,
  }));
  const joined = new Map<number, number>();
  const left = new Set<number>();
  let queued: readonly Queued[] = [];
  const sent: Queued[] = [];
  const replace = (id: string, part: Partial<(typeof steps)[number]>) => {
    steps = steps.map((step) => (step.id === id ? { ...step, ...part } : step));
  };
  function feed(page: number): number {
    let looked = 0;
    for (const { id } of inOrder(steps)) {
      const step = steps.find((candidate) => candidate.id === id);
      if (step === undefined || step.state !== 'sending') continue;
      const people = [...joined]
        .map(([person, at]) => ({
          person,
          moment: { at, id: person },
          isInAudience: !left.has(person),
          hasMessage: queued.some((message) => message.person === person && message.step === id),
          isHeld: queued.some(
            (message) =>
              message.person === person && !message.isSent && pausedBefore(step, steps).includes(message.step),
          ),
        }))
        .filter(({ moment }) => isBeyond(moment, step.reached))
        .toSorted((a, b) => a.moment.at - b.moment.at || a.person - b.person)
        .slice(0, page);
      const plan = planStep(step, steps, people, now);
      const messages = plan.queued.map(({ person, moment }) => ({
        person,
        step: id,
        at: now,
        moment: moment.at,
        days: step.timing.days,
        isSent: false,
      }));
      queued = [...queued, ...messages];
      if (plan.reached !== null) replace(id, { reached: plan.reached });
      looked += plan.looked;
    }
    return looked;
  }
  return {
    sent,
    /** Sends what waits in the queue, in its order, apart from steps that are paused. */
    deliver() {
      for (const message of queued) {
        const step = steps.find(({ id }) => id === message.step);
        if (message.isSent || step?.state !== 'sending') continue;
        message.isSent = true;
        if (!left.has(message.person)) sent.push(message);
      }
    },
    get queued() {
      return queued;
    },
    get steps() {
      return steps;
    },
    feed,
    join: (person: number) => void joined.set(person, joined.get(person) ?? now),
    leave: (person: number) => void left.add(person),
    wait: (days: number) => {
      now += days * DAY_MS + 1;
    },
    change(index: number, to: CampaignState) {
      const step = steps[index];
      if (step === undefined || step.state === 'cancelled' || (step.state === 'draft' && to === 'paused')) return;
      const isFirst = step.state === 'draft' && to === 'sending';
      if (to === 'cancelled') queued = queued.filter((message) => message.isSent || message.step !== step.id);
      replace(step.id, { state: to, ...(isFirst && { started_at: now, reached: { at: now, id: null } }) });
    },
    retime(index: number, days: number) {
      const step = steps[index];
      if (step === undefined) return;
      const timing = { ...step.timing, days };
      if (mayRetime(step, timing, steps)) replace(step.id, { timing });
    },
    joined,
    left,
  };
}

it('a person gets a step at most once, not for what was before it was turned on, never early, and in order', () => {
  fc.assert(
    fc.property(
      fc.array(DAYS, { minLength: 1, maxLength: 4 }),
      fc.array(ACTION, { maxLength: 60 }),
      (days, actions) => {
        const world = createWorld(days);
        // Most people come after a step was turned on.
        for (const index of days.keys()) if (index % 3 < 2) world.change(index, 'sending');
        for (const action of actions) {
          const [before, sentBefore] = [world.queued.length, world.sent.length];
          if (action.type === 'feed') world.feed(action.page);
          else if (action.type === 'deliver') world.deliver();
          else if (action.type === 'join') world.join(action.person);
          else if (action.type === 'leave') world.leave(action.person);
          else if (action.type === 'wait') world.wait(action.days);
          else if (action.type === 'retime') world.retime(action.step, action.days);
          else if (action.type === 'change') world.change(action.step, action.to);
          const stepOf = (wanted: string) => world.steps.find(({ id }) => id === wanted);
          for (const { person, step } of world.sent.slice(sentBefore)) {
            expect(stepOf(step)?.state).toBe('sending');
            expect(world.left.has(person)).toBe(false);
          }
          for (const { person, step, at, moment, days: queuedAfter } of world.queued.slice(before)) {
            const { started_at, state } = stepOf(step) ?? {};
            expect(state).toBe('sending');
            expect(moment).toBeGreaterThan(started_at ?? Number.POSITIVE_INFINITY);
            expect(at - moment).toBeGreaterThanOrEqual(queuedAfter * DAY_MS);
            // Steps that come before it, run or wait, and were for this moment, have had their turn.
            const ordered = inOrder(world.steps.filter((one) => one.state === 'sending' || one.state === 'paused'));
            for (const earlier of ordered.slice(
              0,
              ordered.findIndex(({ id }) => id === step),
            )) {
              const isFor = earlier.started_at !== null && moment > earlier.started_at;
              const had = world.queued.find((one) => one.person === person && one.step === earlier.id);
              if (isFor) expect(had).toBeDefined();
              if (isFor && earlier.state === 'paused') expect(had?.isSent).toBe(true);
            }
          }
        }
        const keys = world.queued.map(({ person, step }) => `${person} ${step}`);
        expect(new Set(keys).size).toBe(keys.length);
        // Once nothing is paused, everyone who stayed gets what they are late for.
        for (const [index, { state }] of world.steps.entries()) if (state === 'paused') world.change(index, 'sending');
        world.wait(10);
        while (world.feed(2) > 0);
        world.deliver();
        for (const { id, state, started_at } of world.steps) {
          for (const [person, at] of world.joined) {
            if (state !== 'sending' || world.left.has(person) || started_at === null || at <= started_at) continue;
            expect(world.sent.filter((one) => one.person === person && one.step === id)).toHaveLength(1);
          }
        }
      },
    ),
    { numRuns: 600 },
  );
});

it.each([
  ['sending', { at: 5, id: 2 }, { at: 6, id: 1 }, 'queue'],
  ['sending', { at: 5, id: 2 }, { at: 10, id: 1 }, 'queue'],
  ['sending', { at: 5, id: 2 }, { at: 11, id: 1 }, 'wait'],
  ['sending', { at: 5, id: 2 }, { at: 5, id: 2 }, 'pass'],
  ['sending', { at: 5, id: 2 }, { at: 5, id: 3 }, 'queue'],
  ['sending', { at: 5, id: null }, { at: 5, id: 3 }, 'pass'],
  ['paused', { at: 5, id: 2 }, { at: 6, id: 1 }, 'wait'],
  ['cancelled', { at: 5, id: 2 }, { at: 4, id: 1 }, 'wait'],
  ['sending', null, { at: 6, id: 1 }, 'wait'],
] as const)(
  'a step that is %s and has reached %j: for the moment %j it is "%s"',
  (state, reached, moment, decision) => {
    const own = { id: '1', state, timing: timing('joined', null, 1), reached };
    const person = { moment, isInAudience: true, hasMessage: false, isHeld: false };
    expect(decideStep(own, [own], person, DAY_MS + 10)).toBe(decision);
    expect(isBeyond(moment, null)).toBe(false);
  },
);

it('nobody who left, nor behind someone who waits, is queued', () => {
  const own = { ...step('1', timing('joined', null, 1), 'sending'), reached: { at: 0, id: null } };
  const person = (id: number, isHeld: boolean) => ({
    moment: { at: id, id },
    isInAudience: true,
    hasMessage: false,
    isHeld,
  });
  const left = { ...person(2, false), isInAudience: false };
  const people = [person(1, false), left, person(3, true), person(4, false)];
  expect(planStep(own, [own], people, DAY_MS + 10)).toEqual({
    queued: people.slice(0, 1),
    looked: 2,
    reached: { at: 2, id: 2 },
  });
});

it('only paused steps after the same state hold back a step', () => {
  const [first, second, other, own, later] = [
    step('1', timing('joined', null, 1), 'paused'),
    step('2', timing('joined', null, 2), 'sending'),
    step('3', timing('invited', null, 1), 'paused'),
    step('4', timing('joined', null, 3), 'sending'),
    step('5', timing('joined', null, 4), 'paused'),
  ].map((each) => ({ ...each, reached: null }));
  if (!first || !second || !other || !own || !later) throw new TypeError('there are five');
  expect(pausedBefore(own, [later, own, other, second, first])).toEqual(['1']);
  const after = { ...own, timing: timing(null, '1', 1) };
  const sibling = { ...second, state: 'paused' as const, timing: timing(null, '1', 1) };
  expect(pausedBefore(after, [first, sibling, after])).toEqual([]);
});

it('a message that is stored is never queued again, however the step is changed', () => {
  const step = fc.record({
    id: fc.constantFrom('1', '2'),
    state: fc.constantFrom<CampaignState>('draft', 'sending', 'paused', 'cancelled'),
    timing: fc.record({ after: fc.constant('joined' as const), previous: fc.constant(null), days: DAYS }),
    reached: fc.option(fc.record({ at: fc.nat(100), id: fc.option(fc.nat(5)) })),
  });
  fc.assert(
    fc.property(
      step,
      fc.array(step, { maxLength: 2 }),
      fc.nat(100),
      fc.nat(5),
      fc.boolean(),
      (own, others, at, id, isInAudience) => {
        const person = { moment: { at, id }, isInAudience, hasMessage: true, isHeld: false };
        expect(decideStep(own, [own, ...others], person, 1_000 * DAY_MS)).not.toBe('queue');
      },
    ),
  );
});

const timing = (after: StepTiming['after'], previous: string | null, days: number): StepTiming => ({
  after,
  previous,
  days,
});
const step = (id: string, when: StepTiming, state: CampaignState = 'draft') => ({
  id,
  state,
  timing: when,
  started_at: state === 'draft' ? null : 1,
  subject: `Step ${id}`,
  waiting: { late: 0, coming: 0 },
});

it('the steps are in the order of their emails', () => {
  const steps = [
    step('1', timing(null, '3', 9)),
    step('2', timing('joined', null, 1)),
    step('3', timing('subscribed', null, 7)),
    step('4', timing('subscribed', null, 2)),
    step('5', timing(null, '1', 1)),
  ];
  expect(inOrder(steps).map(({ id }) => id)).toEqual(['4', '3', '1', '5', '2']);
  // Without the step that it depends on, a step is the last.
  const alone = steps.filter(({ id }) => id !== '3');
  expect(inOrder(alone).map(({ id }) => id)).toEqual(['4', '2', '1', '5']);
});

it('a step comes after a state or another step, not after itself, and there are ten at most', () => {
  const steps = [
    step('1', timing('subscribed', null, 1)),
    step('2', timing(null, '1', 1), 'paused'),
    step('3', timing(null, '2', 1), 'cancelled'),
  ];
  expect(mayTime(timing('invited', null, 1), null, steps)).toBe(true);
  expect(mayTime(timing(null, '2', 1), null, steps)).toBe(true);
  for (const refused of [timing('invited', '1', 1), timing(null, null, 1), timing(null, '3', 1), timing(null, '9', 1)])
    expect(mayTime(refused, null, steps)).toBe(false);
  const [first, second, third] = steps;
  if (first === undefined || second === undefined || third === undefined) throw new TypeError('there are three');
  expect(mayRetime(first, timing(null, '2', 1), steps)).toBe(false);
  expect(mayRetime(first, timing('joined', null, 3), steps)).toBe(true);
  // It was turned on.
  expect([mayRetime(second, timing(null, '1', 5), steps), mayRetime(second, timing('joined', null, 5), steps)]).toEqual(
    [true, false],
  );
  expect(mayRetime({ ...second, state: 'sending' }, timing(null, '1', 5), steps)).toBe(false);
  expect(mayRetime(third, timing(null, '2', 5), steps)).toBe(false);
  const ended = Array.from({ length: MAX_STEPS }, (_, index) =>
    step(String(index), timing('joined', null, 1), 'cancelled'),
  );
  expect(mayTime(timing('joined', null, 1), null, ended)).toBe(true);
  // Once a step was turned on, it cannot follow another one.
  const fourth = step('4', timing('joined', null, 1), 'paused');
  expect(mayRetime({ ...second, started_at: 1 }, timing(null, '4', 5), [...steps, fourth])).toBe(false);
  const ten = Array.from({ length: MAX_STEPS }, (_, index) => step(String(index), timing('joined', null, 1)));
  expect([
    mayTime(timing('joined', null, 1), null, ten),
    mayRetime(step('1', timing('joined', null, 1)), timing('invited', null, 1), ten),
  ]).toEqual([false, true]);
});

it('says what turning it on does', () => {
  const steps = [
    step('1', timing('subscribed', null, 3)),
    step('2', timing(null, '1', 1)),
    { ...step('3', timing('joined', null, 2), 'paused'), waiting: { late: 2, coming: 9 } },
  ];
  expect(describeStart(steps)).toEqual([
    'From now on, people get “Step 1” 3 days after they sign up.',
    'From now on, people get “Step 2” 1 day after “Step 1”.',
    'No one gets emails for earlier signups, invitations or joins.',
    '2 people missed “Step 3” while it was paused. They get it now.',
  ]);
  expect(describeStart([step('3', timing('joined', null, 2), 'sending')])).toEqual([]);
  expect(describeStart([step('3', timing('invited', null, 2), 'paused')])).toEqual([
    'No one missed an email during the pause.',
  ]);
  const counted = { late: 1, coming: 0 };
  expect(
    describeStart([
      { ...step('1', timing('joined', null, 2), 'sending'), waiting: counted },
      { ...step('2', timing('joined', null, 3), 'paused'), subject: '', waiting: counted },
      { ...step('3', timing(null, '2', 1)), subject: '' },
    ]),
  ).toEqual([
    'From now on, people get “Without a subject” 1 day after “Without a subject”.',
    'No one gets emails for earlier signups, invitations or joins.',
    '1 person missed “Without a subject” while it was paused. They get it now.',
  ]);
  expect(describeTiming(timing('invited', null, 2), [])).toBe('2 days after they are invited');
  expect(describeTiming(timing('joined', null, 1), [])).toBe('1 day after they join');
  expect(describeTiming(timing(null, '2', 1), steps)).toBe('1 day after “Step 2”');
});
