import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import type { HumanTokenStore } from '../ports/human-token-store.ts';
import { humanCheck, MAX_HUMAN_TOKEN_LENGTH, type VerifyHuman } from './human-check.ts';

const NOW = Date.UTC(2026, 0, 1);
const LIFETIME_MS = 300_000;
const ADA = { email: 'ada@example.org', submissionId: 's1', clientAddress: undefined };
const BOB = { ...ADA, email: 'bob@example.org' };

/** A check that lets every token pass, unless `verifyHuman` says otherwise. */
function createCheck(verifyHuman: Partial<VerifyHuman> = {}) {
  const claims = new Map<string, { readonly purpose: string; readonly expiresAt: number }>();
  const counted: string[] = [];
  const verified: string[] = [];
  const tokens: HumanTokenStore = {
    findClaim: async (hash) => claims.get(hash)?.purpose ?? null,
    async claim(hash, purpose, expiresAt) {
      const claimed = claims.get(hash) ?? { purpose, expiresAt };
      claims.set(hash, claimed);
      return claimed.purpose === purpose;
    },
  };
  const check = humanCheck({
    verifyHuman: {
      name: 'test',
      tokenLifetimeMs: LIFETIME_MS,
      async verify(token) {
        verified.push(token);
        return true;
      },
      ...verifyHuman,
    },
    tokens,
    count: (refusal) => counted.push(refusal),
    clock: () => NOW,
  });
  return { check, claims, counted, verified };
}

describe('humanCheck', () => {
  it('takes the longest token, and refuses a longer one before any work on it', async () => {
    const longest = 'x'.repeat(MAX_HUMAN_TOKEN_LENGTH);
    const { check, counted, verified } = createCheck();
    await check(longest, ADA);
    await expect(check(`${longest}x`, BOB)).rejects.toEqual(
      new StorageError('forbidden', 'human_token is not a token of this check'),
    );
    expect([counted, verified]).toEqual([['human_refused'], [longest]]);
  });

  it('refuses what is no token of the kind, without verifying it', async () => {
    const { check, counted, verified } = createCheck({ idOf: () => null });
    await expect(check('anything', ADA)).rejects.toEqual(
      new StorageError('forbidden', 'human_token is not a token of this check'),
    );
    expect([counted, verified]).toEqual([['human_refused'], []]);
  });

  it('lets a token pass for one submission, however often it is repeated, and remembers it longer than it can pass', async () => {
    const { check, claims, counted, verified } = createCheck();
    await check('token', ADA);
    await check('token', ADA);
    await expect(check('token', BOB)).rejects.toEqual(
      new StorageError('forbidden', 'the token of the human check was used before; get a new one'),
    );
    await check('another token', BOB);
    expect([counted, verified]).toEqual([['human_replayed'], ['token', 'another token']]);
    expect([...claims.values()].map(({ expiresAt }) => expiresAt)).toEqual([
      NOW + LIFETIME_MS + HOUR_MS,
      NOW + LIFETIME_MS + HOUR_MS,
    ]);
  });

  it('lets a submission pass whose token another attempt has used up meanwhile', async () => {
    let attempts = 0;
    const { check, counted } = createCheck({
      async verify(token) {
        attempts += 1;
        if (attempts > 1) return true;
        await check(token, ADA);
        return false;
      },
    });
    await check('token', ADA);
    expect([attempts, counted]).toEqual([2, []]);
  });
});
