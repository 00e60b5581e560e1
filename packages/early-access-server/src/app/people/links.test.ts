import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { hashToken, toUnsubscribeToken } from '../access/secrets.ts';
import { PERSON_STATES } from '../lifecycle/states.ts';
import {
  admission,
  confirmResult,
  inviteState,
  linksToStore,
  newTokens,
  renewalResult,
  type StoredLink,
  TEST_TOKEN,
} from './links.ts';
import { readLinkToken } from './meant-link.ts';

const LINK = { purpose: 'confirm', kind: 'confirmation', isUsed: false, expiresAt: 100 } as const;

it('a link confirms a correction in every state, but none of someone who left', () => {
  const correction = { ...LINK, purpose: 'correct', kind: 'correction' } as const;
  const results = (['bounced', 'unsubscribed'] as const).map((state) =>
    confirmResult(correction, { state, submissionId: 'mine' }, null, 99),
  );
  expect(results).toEqual(['confirmed', 'unknown']);
});

const CORRECTION: StoredLink = { ...LINK, purpose: 'correct', kind: 'correction' };
const USED = { isUsed: true };

it.each([
  ['no link', null, 'pending', 'mine', 0, 'unknown'],
  ['a used link, even late', { ...LINK, ...USED }, 'joined', 'other', 200, 'already-confirmed'],
  ['the last moment', LINK, 'pending', 'mine', 99, 'confirmed'],
  ['the end', LINK, 'pending', 'mine', 100, 'expired'],
  ['a browser that knows no signup', LINK, 'pending', null, 0, 'confirmed'],
  ['another browser', LINK, 'pending', 'other', 0, 'other-browser'],
  ['someone who left', LINK, 'unsubscribed', 'mine', 0, 'unknown'],
] as const)('%s', (_, link, state, submissionId, now, expected) => {
  expect(confirmResult(link, { state, submissionId: 'mine' }, submissionId, now)).toBe(expected);
});

it.each([
  ['a confirmation', LINK, 'pending', 'queued'],
  ['a confirmation of someone who has confirmed', LINK, 'subscribed', 'not-pending'],
  ['a used confirmation', { ...LINK, ...USED }, 'pending', 'not-pending'],
  ['a correction, also after confirming', CORRECTION, 'subscribed', 'queued'],
  ['a correction of someone who left', CORRECTION, 'unsubscribed', 'not-pending'],
  ['a used correction', { ...CORRECTION, ...USED }, 'subscribed', 'not-pending'],
  ['nothing', null, 'pending', 'unknown'],
] as const)('a new link for %s', (_, link, state, expected) => {
  expect(renewalResult(link, { state })).toBe(expected);
  expect(renewalResult(link, null)).toBe('unknown');
});

it.each([
  ['the last moment', LINK, 'invited', 99, 'valid'],
  ['the end', LINK, 'invited', 100, 'expired'],
  ['a used link', { ...LINK, ...USED }, 'joined', 0, 'used'],
  ['someone who left', LINK, 'unsubscribed', 0, 'gone'],
] as const)('an invitation: %s', (_, link, state, now, expected) => {
  expect(inviteState({ ...link, purpose: 'invite', kind: 'invite' }, { state }, now)).toBe(expected);
});

it('the token of a test email has the form of a token, and names what it is', () => {
  expect(readLinkToken(`#token=${TEST_TOKEN}`)).toBe(TEST_TOKEN);
  expect(TEST_TOKEN).toMatch(/^test-email/);
});

describe('a person is admitted', () => {
  const state = fc.constantFrom(...PERSON_STATES);
  const time = fc.nat(30 * DAY_MS);

  it('if their link could be redeemed, or if they have joined', () => {
    fc.assert(
      fc.property(state, time, time, (state, expiresAt, now) => {
        const mayRedeem = inviteState({ ...LINK, expiresAt }, { state }, now) === 'valid';
        const admitted = admission({ state, invited_at: 0 }, expiresAt, now) === 'admitted';
        expect(admitted).toBe(mayRedeem || state === 'joined');
      }),
    );
  });

  it.each([
    ['not before they are invited', admission({ state: 'subscribed', invited_at: null }, null, 0), 'unknown'],
    ['not before they confirm', admission({ state: 'pending', invited_at: null }, null, 0), 'unknown'],
    ['not after they left', admission({ state: 'unsubscribed', invited_at: 1 }, 100, 0), 'gone'],
    ['before their link is sent', admission({ state: 'invited', invited_at: 0 }, null, DAY_MS), 'admitted'],
    ['not long after it', admission({ state: 'invited', invited_at: 0 }, null, 14 * DAY_MS), 'expired'],
    ['not if no time is known', admission({ state: 'invited', invited_at: null }, null, 1), 'expired'],
    ['not if they are not on the list', admission(null, null, 0), 'unknown'],
  ])('%s', (_, result, expected) => expect(result).toBe(expected));
});

describe('the tokens of a message', () => {
  it.each([
    ['confirmation', 'confirm', 7 * DAY_MS],
    ['reminder', 'confirm', 7 * DAY_MS],
    ['invite', 'invite', 14 * DAY_MS],
  ] as const)('are one for its link and one to unsubscribe: %s', (kind, purpose, lifetime) => {
    const { link, unsubscribe } = newTokens(kind);
    expect(new Set([link?.length, unsubscribe?.length])).toEqual(new Set([43]));
    expect(link).not.toBe(unsubscribe);
    expect(linksToStore({ link, unsubscribe }, kind, 5)).toEqual([
      { hash: hashToken(link ?? ''), purpose, expiresAt: 5 + lifetime },
      { hash: hashToken(unsubscribe ?? ''), purpose: 'unsubscribe', expiresAt: Number.MAX_SAFE_INTEGER },
    ]);
  });

  it.each(['welcome', 'campaign'] as const)('are one to unsubscribe: %s', (kind) => {
    const tokens = newTokens(kind);
    const token = expect.stringMatching(/^[\w-]{43}$/);
    expect(tokens).toEqual({ link: null, status: token, unsubscribe: token });
    expect(linksToStore(tokens, kind, 5)).toMatchObject([{ purpose: 'unsubscribe' }]);
  });

  it('have one of the status page, which is not stored, and from which the one to unsubscribe is derived', () => {
    const tokens = newTokens('confirmation');
    const { status, unsubscribe } = tokens;
    expect(toUnsubscribeToken(status ?? '')).toBe(unsubscribe);
    const hashes = linksToStore(tokens, 'confirmation', 5).map(({ hash }) => hash);
    expect(hashes).not.toContain(hashToken(status ?? ''));
    expect(newTokens('correction')).toMatchObject({ status: null, unsubscribe: null });
  });

  it('are none for an admin', () => {
    expect(newTokens('notice')).toEqual({ link: null, status: null, unsubscribe: null });
  });

  it('are not stored if the message has none', () => {
    expect(linksToStore({ link: null, unsubscribe: null }, 'confirmation', 5)).toEqual([]);
  });
});
