import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it, onTestFinished } from 'vitest';
import { PLACE_STEP_MS } from '../../app/share/share-link.ts';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';

const PEOPLE = 25_000;
/** Values of the copies that have to be their own. */
const OWN: Readonly<Record<string, string>> = {
  id: 'n + 1',
  email: "'person-' || n || '@example.org'",
  person_id: "'person-' || n",
  submission_id: "'submission-' || n",
  share_code: "'code-' || n",
  created_at: `created_at + (n * 7919 % ${PEOPLE}) * 60000`,
  referrals: 'CASE WHEN n % 9 = 0 THEN n % 5 ELSE 0 END',
};

/** A list that is long enough for several steps, with referrals that move some people past thousands. */
async function fillList() {
  const { store, file, raw } = tempStore();
  await store.createSignup(signupOf());
  const db = new DatabaseSync(file);
  const columns = db.prepare("SELECT name FROM pragma_table_info('email_signups')").all();
  const names = columns.map(({ name }) => String(name));
  db.exec(`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${PEOPLE})
    INSERT INTO email_signups (${names.join()}) SELECT ${names.map((name) => OWN[name] ?? name).join()}
    FROM email_signups, counted WHERE id = 1
  `);
  db.close();
  return { share: store.share, raw };
}

it('counts the place of a person among many, and serves others meanwhile', async () => {
  const { share, raw } = await fillList();
  let [turns, isOver] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  onTestFinished(() => {
    isOver = true;
  });
  for (const n of [1, 17, 9_000, 18_009, 24_999]) {
    const key = `created_at - referrals * ${PLACE_STEP_MS}`;
    const before = `SELECT count(*) FROM email_signups, (SELECT ${key} AS own, id AS own_id FROM email_signups WHERE share_code = 'code-${n}')
      WHERE (${key}, id) < (own, own_id)`;
    expect([n, await share.readPlace(`code-${n}`)]).toEqual([n, Number(readValue(raw, before)) + 1]);
  }
  expect(await share.readPlace('code-of-nobody')).toBeNull();
  // A person counts at most ten thousand others between two turns, and looks five hundred up.
  expect(turns).toBeGreaterThan(15);
});
