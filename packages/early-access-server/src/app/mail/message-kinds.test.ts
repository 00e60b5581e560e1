import { DAY_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import {
  chooseFirstMessage,
  chooseNewLink,
  chooseResend,
  linkExpiry,
  listLinks,
  listNewLinks,
  MESSAGE_KINDS,
  type MessageKind,
  mayReceive,
  NEW_LINK_PAGES,
  type NewLinkPage,
} from './message-kinds.ts';

const NOW = 1_700_000_000_000;

it('a message is only for people in certain states; a notice is for none of them', () => {
  const recipients = MESSAGE_KINDS.map((kind) => [kind, PERSON_STATES.filter((state) => mayReceive(state, kind))]);
  expect(recipients).toEqual([
    ['welcome', ['subscribed', 'invited', 'joined']],
    ['confirmation', ['pending']],
    ['reminder', ['pending']],
    ['correction', ['pending', 'subscribed', 'invited', 'joined', 'bounced']],
    ['invite', ['invited']],
    ['status', ['subscribed', 'invited', 'joined']],
    ['campaign', ['subscribed', 'invited', 'joined']],
    ['notice', []],
  ]);
});

it('the first message asks for a confirmation if one is needed, and welcomes otherwise', () => {
  expect(PERSON_STATES.map(chooseFirstMessage)).toEqual(['confirmation', 'welcome', null, null, null, null]);
});

const resend = (
  last: MessageKind | null,
  state: PersonState,
  bouncedFrom: PersonState | null = null,
  isImported = false,
) => chooseResend(last, { state, bouncedFrom, isImported });

it('sent again is the last message, or the first if that one no longer applies to the person', () => {
  expect(resend('reminder', 'pending', null)).toBe('reminder');
  expect(resend('invite', 'invited', null)).toBe('invite');
  expect(resend('confirmation', 'subscribed', null)).toBe('welcome');
  expect(resend('welcome', 'pending', null)).toBe('confirmation');
  expect(resend('confirmation', 'joined', null)).toBe('welcome');
  expect(resend('confirmation', 'bounced', 'pending')).toBe('confirmation');
  expect(resend('confirmation', 'bounced', null)).toBe('welcome');
});

it('sent again is the first message to people who have had none, and nothing if they were imported so or have unsubscribed', () => {
  expect(PERSON_STATES.map((state) => resend(null, state))).toEqual([
    'confirmation',
    'welcome',
    'welcome',
    'welcome',
    null,
    'welcome',
  ]);
  for (const state of PERSON_STATES) expect(resend(null, state, null, true)).toBeNull();
  for (const kind of MESSAGE_KINDS) expect(resend(kind, 'unsubscribed', null)).toBeNull();
});

it('a new link is the one of the page if the person may have it, or says how it is otherwise', () => {
  const choose = (page: NewLinkPage, statusPage: boolean) =>
    PERSON_STATES.map((state) => chooseNewLink(listNewLinks(page, statusPage), state, []));
  expect(choose('confirm', true)).toEqual(['confirmation', 'status', 'status', 'status', null, null]);
  expect(choose('confirm', false)).toEqual(['confirmation', null, null, null, null, null]);
  expect(choose('status', true)).toEqual(['confirmation', 'status', 'status', 'status', null, null]);
  expect(choose('invite', true)).toEqual(['confirmation', 'status', 'invite', 'status', null, null]);
  expect(choose('invite', false)).toEqual(['confirmation', null, 'invite', null, null, null]);
});

it('a new link is not sent while an email with it waits', () => {
  for (const state of PERSON_STATES)
    for (const page of NEW_LINK_PAGES) {
      const kind = chooseNewLink(listNewLinks(page, true), state, []);
      if (kind !== null) expect(chooseNewLink(listNewLinks(page, true), state, ['campaign', kind])).toBeNull();
    }
  expect(chooseNewLink(['confirmation'], 'pending', ['reminder'])).toBeNull();
  expect(chooseNewLink(['status'], 'subscribed', ['welcome', 'campaign'])).toBe('status');
});

it('messages have links for what they ask, and one to unsubscribe, except to an address that may be of another person', () => {
  expect(MESSAGE_KINDS.map((kind) => [kind, listLinks(kind)])).toEqual([
    ['welcome', ['unsubscribe']],
    ['confirmation', ['confirm', 'unsubscribe']],
    ['reminder', ['confirm', 'unsubscribe']],
    ['correction', ['correct']],
    ['invite', ['invite', 'unsubscribe']],
    ['status', ['unsubscribe']],
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
