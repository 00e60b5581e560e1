import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiKey, IDEMPOTENCY_MS } from '../app/access/api-keys.ts';
import type { ApiKeyStore } from '../app/ports/api-key-store.ts';
import { AUDIT_ENTRIES, NOW, type SetUp } from './harness.ts';

const ROUTE = 'GET /api/admin/people';

async function addKey(store: ApiKeyStore, fields: Partial<ApiKey> = {}): Promise<{ hash: string; key: ApiKey }> {
  const hash = createHash('sha256').update(randomUUID()).digest('hex');
  return { hash, key: await store.add({ hash, name: 'Reports', scopes: ['analytics'], ...fields }) };
}

export function apiKeysContract(setUp: SetUp): void {
  describe('API keys', () => {
    it('are found by their hash, and listed from the newest on, in every process', async () => {
      const { store, open, clock } = await setUp();
      expect(await store.apiKeys.list()).toEqual([]);
      const first = await addKey(store.apiKeys);
      clock.now += 1;
      const second = await addKey(store.apiKeys, { name: 'Grüße "2"', scopes: ['analytics', 'people', 'redeem'] });
      const expected = { id: second.key.id, name: 'Grüße "2"', scopes: ['analytics', 'people', 'redeem'] };
      expect(second.key).toEqual({ ...expected, created_at: NOW + 1, last_used_at: null });
      const other = open().apiKeys;
      expect(await other.find(second.hash)).toEqual(second.key);
      expect(await other.list()).toEqual([second.key, first.key]);
      expect(await other.find('f'.repeat(64))).toBeNull();
    });

    it('are stored with the right of a link to the overview, too', async () => {
      const { store, open } = await setUp();
      const hash = createHash('sha256').update(randomUUID()).digest('hex');
      const link = await store.apiKeys.add({ hash, name: 'Investors', scopes: ['overview'] });
      expect(await open().apiKeys.find(hash)).toEqual(link);
      expect(await store.apiKeys.list()).toEqual([link]);
    });

    it('leave an entry in the audit for each use', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      const { hash, key } = await addKey(store.apiKeys);
      clock.now += 60_000;
      await Promise.all(
        Array.from({ length: 20 }, async (_, turn) => {
          const { apiKeys } = turn % 2 ? store : other;
          expect(await apiKeys.recordUse(hash, { action: 'api-key-used', route: ROUTE })).toBe(true);
        }),
      );
      await store.apiKeys.recordUse(hash, { action: 'api-key-refused', route: 'POST /api/admin/invites' });
      const used = { at: NOW + 60_000, session: key.id, api_key: 'Reports', count: 1 };
      expect(await other.admin.audit(100)).toEqual([
        { ...used, action: 'api-key-refused', route: 'POST /api/admin/invites' },
        ...Array.from({ length: 20 }, () => ({ ...used, action: 'api-key-used', route: ROUTE })),
      ]);
      expect(await other.apiKeys.find(hash)).toEqual({ ...key, last_used_at: NOW + 60_000 });
    });

    it('stop at once in every process if they are revoked, and leave no further entry', async () => {
      const { store, open } = await setUp();
      const other = open();
      const [revoked, valid] = [await addKey(store.apiKeys), await addKey(store.apiKeys)];
      expect(await other.apiKeys.find(revoked.hash)).not.toBeNull();
      expect(await store.apiKeys.revoke(revoked.key.id)).toEqual(revoked.key);
      expect(await other.apiKeys.find(revoked.hash)).toBeNull();
      expect(await other.apiKeys.recordUse(revoked.hash, { action: 'api-key-used', route: ROUTE })).toBe(false);
      expect(await other.admin.audit(10)).toEqual([]);
      expect(await other.apiKeys.list()).toEqual([valid.key]);
      expect(await other.apiKeys.revoke(revoked.key.id)).toBeNull();
    });

    it('are revoked for one of two callers', async () => {
      const { store, open } = await setUp();
      const other = open();
      const { key } = await addKey(store.apiKeys);
      const revoked = await Promise.all([store, other].map(({ apiKeys }) => apiKeys.revoke(key.id)));
      expect(revoked.filter((result) => result !== null)).toEqual([key]);
    });

    it('claim an Idempotency-Key for one of racing requests, in every process', async () => {
      const { store, open } = await setUp();
      const stores = [store, open()];
      const claim = { hash: 'h'.repeat(64), api_key: 'k', request: 'first' };
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => stores[turn % 2]?.apiKeys.claimRequest(claim)),
      );
      expect(claims.filter((claimed) => claimed === null)).toHaveLength(1);
      expect(claims.filter((claimed) => claimed !== null)).toEqual(
        Array.from({ length: 19 }, () => ({ request: 'first', response: null })),
      );
      expect(await store.apiKeys.claimRequest({ ...claim, hash: 'other', request: 'other' })).toBeNull();
    });

    it('know the response of a request for a day, and forget one that did nothing', async () => {
      const { store, open, clock } = await setUp();
      const other = open().apiKeys;
      const claim = { hash: 'h'.repeat(64), api_key: 'k', request: 'first' };
      expect(await store.apiKeys.claimRequest(claim)).toBeNull();
      await store.apiKeys.finishRequest(claim.hash, null);
      expect(await other.claimRequest({ ...claim, request: 'second' })).toBeNull();
      await other.finishRequest(claim.hash, 'sealed');
      clock.now += IDEMPOTENCY_MS - 1;
      expect(await store.apiKeys.claimRequest(claim)).toEqual({ request: 'second', response: 'sealed' });
      clock.now += 1;
      expect(await store.apiKeys.claimRequest(claim)).toBeNull();
      expect(await other.claimRequest(claim)).toEqual({ request: 'first', response: null });
    });

    it('push nothing out of the audit that admins did, and are bounded', async () => {
      const { store } = await setUp();
      const { hash } = await addKey(store.apiKeys);
      await store.admin.addAudit({ session: 'a', action: 'forget', count: 1 });
      for (let uses = 0; uses < AUDIT_ENTRIES + 5; uses += 1)
        await store.apiKeys.recordUse(hash, { action: 'api-key-used', route: `GET /${uses}` });
      await store.admin.addAudit({ session: 'a', action: 'export', count: 1 });
      const entries = await store.admin.audit(1_000);
      expect(entries.map(({ action, route }) => route ?? action)).toEqual([
        'export',
        ...Array.from({ length: AUDIT_ENTRIES }, (_, back) => `GET /${AUDIT_ENTRIES + 4 - back}`),
        'forget',
      ]);
    });
  });
}
