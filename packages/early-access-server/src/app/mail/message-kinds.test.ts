import { DAY_MS } from 'early-access-kit/core';
import { expect, it } from 'vitest';
import { PERSON_STATES } from '../list/states.ts';
import { chooseFirstMessage, chooseResend, linkExpiry, listLinks, MESSAGE_KINDS, mayReceive } from './message-kinds.ts';

const NOW = 1_700_000_000_000;

it('a message is only for people in certain states; a notice is for none of them', () => {
  const recipients = MESSAGE_KINDS.map((kind) => [kind, PERSON_STATES.filter((state) => mayReceive(state, kind))]);
  expect(recipients).toEqual([
    ['welcome', ['subscribed', 'invited', 'joined']],
    ['confirmation', ['pending']],
    ['reminder', ['pending']],
    ['correction', ['pending', 'subscribed', 'invited', 'joined', 'bounced']],
    ['invite', ['invited']],
    ['campaign', ['subscribed', 'invited', 'joined']],
    ['notice', []],
  ]);
});

it('the first message asks for a confirmation if one is needed, and welcomes otherwise', () => {
  expect(PERSON_STATES.map(chooseFirstMessage)).toEqual(['confirmation', 'welcome', null, null, null, null]);
});

it('sent again is the last message, or the first if that one no longer applies to the person', () => {
  expect(chooseResend('reminder', 'pending', null)).toBe('reminder');
  expect(chooseResend('invite', 'invited', null)).toBe('invite');
  expect(chooseResend('confirmation', 'subscribed', null)).toBe('welcome');
  expect(chooseResend('welcome', 'pending', null)).toBe('confirmation');
  expect(chooseResend('confirmation', 'joined', null)).toBe('welcome');
  expect(chooseResend('confirmation', 'bounced', 'pending')).toBe('confirmation');
  expect(chooseResend('confirmation', 'bounced', null)).toBe('welcome');
});

it('sent again is nothing to people who have had no message or have unsubscribed', () => {
  for (const state of PERSON_STATES) expect(chooseResend(null, state, null)).toBeNull();
  for (const kind of MESSAGE_KINDS) expect(chooseResend(kind, 'unsubscribed', null)).toBeNull();
});

it('messages have links for what they ask, and one to unsubscribe, except to an address that may be of another person', () => {
  expect(MESSAGE_KINDS.map((kind) => [kind, listLinks(kind)])).toEqual([
    ['welcome', ['unsubscribe']],
    ['confirmation', ['confirm', 'unsubscribe']],
    ['reminder', ['confirm', 'unsubscribe']],
    ['correction', ['correct']],
    ['invite', ['invite', 'unsubscribe']],
    ['campaign', ['unsubscribe']],
    ['notice', []],
  ]);
});

it('a link to confirm works for a week, an invitation for two, and one to unsubscribe for ever', () => {
  expect(linkExpiry('confirm', NOW)).toBe(NOW + 7 * DAY_MS);
  expect(linkExpiry('correct', NOW)).toBe(NOW + 7 * DAY_MS);
  expect(linkExpiry('invite', NOW)).toBe(NOW + 14 * DAY_MS);
  expect(linkExpiry('unsubscribe', NOW)).toBe(Number.MAX_SAFE_INTEGER);
});
