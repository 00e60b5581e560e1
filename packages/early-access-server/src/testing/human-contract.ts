import { randomUUID } from 'node:crypto';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../app/access/secrets.ts';
import { exampleSignup } from './examples.ts';
import { claimed, NOW, type SetUp } from './harness.ts';

const LATER = NOW + 60_000;
const newHash = () => sha256(randomUUID());

export function humanContract(setUp: SetUp): void {
  describe('used tokens of human checks', () => {
    it('belong to the first purpose that claims them, however often it does', async () => {
      const { store } = await setUp();
      const [hash, mine, other] = [newHash(), newHash(), newHash()];
      expect(await store.humanTokens.findClaim(hash)).toBeNull();
      expect(await store.humanTokens.claim(hash, mine, LATER)).toBe(true);
      expect(await store.humanTokens.claim(hash, other, LATER)).toBe(false);
      expect(await store.humanTokens.claim(hash, mine, LATER)).toBe(true);
      expect(await store.humanTokens.findClaim(hash)).toBe(mine);
      expect(await store.humanTokens.claim(newHash(), other, LATER)).toBe(true);
    });

    it('are given to one of 50 purposes that race in two processes', async () => {
      const { store, open } = await setUp();
      const [hash, other] = [newHash(), open()];
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, turn) => (turn % 2 ? store : other).humanTokens.claim(hash, newHash(), LATER)),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
    });

    it('are remembered until they expire, even if others are claimed or the clock is set back', async () => {
      const { store, clock } = await setUp();
      const [hash, mine] = [newHash(), newHash()];
      await store.humanTokens.claim(hash, mine, LATER);
      clock.now = LATER - 1;
      await store.humanTokens.claim(newHash(), newHash(), LATER + 1);
      clock.now -= HOUR_MS;
      expect(await store.humanTokens.claim(hash, newHash(), LATER)).toBe(false);
      expect(await store.humanTokens.findClaim(hash)).toBe(mine);
    });
  });

  describe('a signup that is confirmed although the list does not ask for it', () => {
    it('is pending, gets the confirmation, and is the only one that does', async () => {
      const { store } = await setUp();
      const [asked, other] = [exampleSignup({ email: 'asked@x.io' }), exampleSignup({ email: 'other@x.io' })];
      await Promise.all([store.createSignup(asked, { confirm: true }), store.createSignup(other)]);
      expect(await store.createSignup(asked, { confirm: true })).toBe('pending');
      expect(await store.list.counts()).toEqual(
        new Map([
          ['pending', 1],
          ['subscribed', 1],
        ]),
      );
      const messages = [await claimed(store), await claimed(store)];
      expect(new Map(messages.map(({ email, kind }) => [email, kind]))).toEqual(
        new Map([
          [asked.email, 'confirmation'],
          [other.email, 'welcome'],
        ]),
      );
    });
  });
}
