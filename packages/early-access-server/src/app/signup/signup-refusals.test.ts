import { HOUR_MS } from 'early-access-kit/internal';
import { expect, it, vi } from 'vitest';
import { PAGE_MISTAKES, REFUSAL_ADVICE, SIGNUP_REFUSALS, signupRefusals } from './signup-refusals.ts';

function setUp() {
  const log = vi.fn();
  const time = { now: 1_000 };
  return { log, time, ...signupRefusals({ log, clock: () => time.now }) };
}

it('each refusal is counted, and each reason is logged once an hour', () => {
  const { log, time, note, counts } = setUp();
  expect(counts()).toEqual({});
  note('blocked', 'email');
  note('disposable', 'email');
  time.now += HOUR_MS - 1;
  note('blocked', 'email');
  expect(log.mock.calls.map(([, , { reason }]) => reason)).toEqual(['blocked', 'disposable']);
  time.now += 1;
  note('blocked', 'email');
  note('blocked', 'email');
  expect(log.mock.calls.map(([, , { reason }]) => reason)).toEqual(['blocked', 'disposable', 'blocked']);
  expect(counts()).toEqual({ blocked: 4, disposable: 1 });
});

it.each(SIGNUP_REFUSALS)('%s is a warning if the page is wrong, and the log says what to do', (reason) => {
  const { log, note } = setUp();
  note(reason, 'role');
  const level = PAGE_MISTAKES.some((mistake) => mistake === reason) ? 'warn' : 'info';
  expect(log.mock.calls).toEqual([[level, 'signup-refused', { reason, problem: 'role', fix: REFUSAL_ADVICE[reason] }]]);
  expect(REFUSAL_ADVICE[reason]).toMatch(/^[A-Z].{20,}\.$/);
});
