import { signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { silentLog } from 'early-access-server/internal';
import { type DocumentData, Timestamp } from 'firebase-admin/firestore';
import { expect, it } from 'vitest';
import { firestoreOfFile } from '../../fixtures/firestore.ts';
import { readRows } from './documents.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const { firestore } = await firestoreOfFile(NOW);

async function storeSignups(signups: readonly (readonly [id: string, at: number, fields?: DocumentData])[]) {
  const writer = firestore.bulkWriter();
  for (const [id, at, fields] of signups) {
    writer.set(firestore.doc(`email_signups/${id}`), {
      ...signupOf(),
      created_at: Timestamp.fromMillis(at),
      ...fields,
    });
  }
  await writer.close();
}

it('counts a person once if they unsubscribe between two pages, which moves their document', async () => {
  const before = Array.from({ length: 999 }, (_, index) => [`person-${index}`, NOW - 1] as const);
  await storeSignups([...before, ['a-person', NOW], ['left-a-person', NOW], ['next-person', NOW], ['z', NOW]]);
  expect(await readRows(firestore, 0, NOW + 1, silentLog)).toHaveLength(1_002);
});

it('gives a signup the traffic source of its session, even if that started before the period', async () => {
  await firestore
    .doc('sessions/earlier-session')
    .set({ session_start: NOW - DAY_MS, visitor_id: 'a', browser: 'Firefox' });
  const ofPruned = Array.from(
    { length: 301 },
    (_, index) => [`person-${index}`, NOW, { session_id: `session-${index}` }] as const,
  );
  await storeSignups([...ofPruned, ['person', NOW + 1, { session_id: 'earlier-session' }]]);
  const rows = await readRows(firestore, NOW, NOW + 2, silentLog);
  expect(rows.map(({ trafficSource }) => trafficSource.browser)).toEqual([...ofPruned.map(() => ''), 'Firefox']);
});
