import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { tempStore } from '../../../fixtures/temp-store.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);

/** Adds people of a source, as an import does. */
function addPeople(file: string, source: string, first: number, count: number): void {
  const writer = new DatabaseSync(file);
  writer.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${first + count - 1})
    INSERT INTO email_signups (id, email, source, submission_id, created_at, traffic_source_id, person_id)
    SELECT n, 'p' || n || '@example.org', '${source}', 'submission-' || n, ${NOW}, 1, 'person-' || n FROM numbers
  `);
  writer.close();
}

it('goes through 10,000 people in a transaction, and to nobody who signed up after the start', async () => {
  const { store, file } = tempStore({ clock: () => NOW });
  const { campaigns } = store;
  addPeople(file, 'blog', 1, 12_000);
  addPeople(file, 'fair', 12_001, 2);
  const audience = { states: ['subscribed'], source: 'fair' } as const;
  const { id } = await campaigns.create({ subject: 'We are live', body: '# Hello', audience });
  await campaigns.change(id, 'sending');
  await store.createSignup(signupOf({ source: 'fair' }));
  expect([await campaigns.feed(), await campaigns.feed(), await campaigns.feed()]).toEqual([10_000, 2_002, 0]);
  // The two, and the welcome email of the third.
  expect((await store.mails.counts()).get('queued')).toBe(3);
});
