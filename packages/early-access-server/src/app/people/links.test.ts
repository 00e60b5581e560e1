import { DAY_MS } from 'early-access-kit/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashToken, toUnsubscribeToken } from '../access/secrets.ts';
import { PERSON_STATES } from '../lifecycle/states.ts';
import { admission, confirmResult, inviteState, linksToStore, newTokens } from './links.ts';

const LINK = { purpose: 'confirm', kind: 'confirmation', isUsed: false, expiresAt: 100 } as const;

it('a link confirms a correction in every state, but none of someone who left', () => {
  const correction = { ...LINK, purpose: 'correct', kind: 'correction' } as const;
  const results = (['bounced', 'unsubscribed'] as const).map((state) =>
    confirmResult(correction, { state, submissionId: 'mine' }, null, 99),
  );
  expect(results).toEqual(['confirmed', 'unknown']);
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
