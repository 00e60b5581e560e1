import { expect, it } from 'vitest';
import { addEvents, createTimeline, type StoredEvent } from './timeline.ts';

const NEVER = { confirmed_at: null, unsubscribed_at: null, bounced_at: null, invited_at: null, joined_at: null };
const PERSON = { ...NEVER, created_at: 10 } as Parameters<typeof createTimeline>[0];
const event = (at: number, name: StoredEvent['event'], by: StoredEvent['by'] = null): StoredEvent => ({
  at,
  event: name,
  by,
});
const show = (...parameters: Parameters<typeof createTimeline>) =>
  createTimeline(...parameters).map(({ at, event, by, email }) => [at, event, email?.kind ?? by]);

it('begins with the signup, or with the admin who added the person by hand', () => {
  expect(show(PERSON, [event(20, 'unsubscribe', 'person')], [])).toEqual([
    [10, 'signup', null],
    [20, 'unsubscribe', 'person'],
  ]);
  expect(show(PERSON, [event(10, 'add', 'admin')], [])).toEqual([[10, 'add', 'admin']]);
  // They had signed up before an admin, or a file, added them.
  expect(show(PERSON, [event(11, 'add', 'admin')], [])).toEqual([[11, 'add', 'admin']]);
  expect(show(PERSON, [event(9, 'add', 'admin')], [])).toEqual([
    [9, 'add', 'admin'],
    [10, 'signup', null],
  ]);
  expect(show(PERSON, [event(12, 'add', 'import'), event(13, 'invite', 'admin')], [])).toEqual([
    [10, 'signup', null],
    [12, 'add', 'import'],
    [13, 'invite', 'admin'],
  ]);
});

it('has the times of a file for which no event is stored, each once', () => {
  const person = { ...PERSON, confirmed_at: 20, unsubscribed_at: 30, joined_at: 25, bounced_at: 40, invited_at: 22 };
  expect(show(person, [event(20, 'confirm', 'confirmation'), event(30, 'bounce'), event(40, 'signup')], [])).toEqual([
    [10, 'signup', null],
    [20, 'confirm', 'confirmation'],
    [22, 'invite', null],
    [25, 'redeem', null],
    [30, 'unsubscribe', null],
    [30, 'bounce', null],
    [40, 'bounce', null],
    [40, 'signup', null],
  ]);
});

it('has the emails, in the order of time', () => {
  const email = { kind: 'welcome', state: 'sent', reason: null, subject: null } as const;
  expect(show(PERSON, [event(20, 'invite', 'admin')], [{ ...email, at: 15 }])).toEqual([
    [10, 'signup', null],
    [15, 'email', 'welcome'],
    [20, 'invite', 'admin'],
  ]);
});

it('keeps the newest hundred events, and of what is stored only what it knows', () => {
  const many = Array.from({ length: 100 }, (_, at) => event(at, 'signup'));
  expect(addEvents(many, event(100, 'unsubscribe'))).toEqual([...many.slice(1), event(100, 'unsubscribe')]);
  expect(addEvents(null, event(1, 'signup'))).toEqual([event(1, 'signup')]);
  const odd = [
    { at: 1, event: 'explode', by: 'admin' },
    { at: '2', event: 'signup' },
    { at: 3, event: 'add', by: 'x' },
  ];
  expect(addEvents(odd)).toEqual([event(3, 'add', null)]);
});
