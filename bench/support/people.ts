import { DatabaseSync } from 'node:sqlite';
import { type SqliteStore, sqliteStore } from 'early-access-server/sqlite';

type Query = Parameters<SqliteStore['people']['list']>[0];

const PAGE: Query = {
  search: '',
  state: null,
  mail: null,
  source: null,
  import: null,
  from: null,
  to: null,
  sort: 'newest',
  limit: 50,
  after: null,
};

const QUERIES: Readonly<Record<string, Query>> = {
  'a page': PAGE,
  'a page by address': { ...PAGE, sort: 'email' },
  'a frequent search': { ...PAGE, search: 'gmail' },
  'a rare search': { ...PAGE, search: 'person-77' },
  'a search without hits': { ...PAGE, search: 'nobody-has-this' },
  'those whose email failed': { ...PAGE, mail: 'failed' },
};

/** Adds people until there are `count`. One in a thousand has a failed email. */
export function addPeople(file: string, count: number): void {
  sqliteStore({ file }).close();
  const db = new DatabaseSync(file);
  const have = Number(db.prepare('SELECT count(*) AS people FROM email_signups').get()?.people);
  db.exec('PRAGMA synchronous = OFF');
  db.prepare(`
    INSERT INTO email_signups (email, source, submission_id, person_id, created_at, traffic_source_id)
    WITH RECURSIVE person (n) AS (SELECT :have UNION ALL SELECT n + 1 FROM person WHERE n + 1 < :count)
    SELECT 'person-' || n || iif(n % 3 = 0, '@gmail.com', '@mail-' || (n % 1000) || '.example'), 'landing_page',
      lower(hex(randomblob(16))), lower(hex(randomblob(16))), 1700000000000 + n * 1000, 1 FROM person
  `).run({ have, count });
  db.exec(`
    INSERT INTO mails (signup_id, message_key, state, next_attempt_at, changed_at)
      SELECT id, 'key-' || id, iif(id % 1000 = 0, 'failed', 'sent'), created_at, created_at FROM email_signups
      WHERE id NOT IN (SELECT signup_id FROM mails);
  `);
  indexAddresses(db);
  db.close();
}

/** Indexes new addresses for searches immediately, which a server does in the minutes after an import. */
export function indexAddresses(db: DatabaseSync): void {
  db.exec(`
    INSERT INTO signup_search (rowid, email) SELECT id, email FROM unsearched_signups JOIN email_signups USING (id);
    DELETE FROM unsearched_signups;
  `);
}

/** Returns the milliseconds of each query, measured several times, and of a search that reads every address. */
export async function listPeople(
  file: string,
  times: number,
): Promise<{ name: string; ms: number[]; without?: number }[]> {
  const store = sqliteStore({ file });
  const db = new DatabaseSync(file);
  const every = db.prepare('SELECT id FROM email_signups WHERE instr(email, ?) > 0 ORDER BY id DESC LIMIT 50');
  try {
    const results: { name: string; ms: number[]; without?: number }[] = [];
    for (const [name, query] of Object.entries(QUERIES)) {
      const ms: number[] = [];
      for (let turn = 0; turn < times; turn += 1) ms.push(await elapsed(() => store.people.list(query)));
      const without = query.search === '' ? {} : { without: await elapsed(() => every.all(query.search)) };
      results.push({ name, ms, ...without });
    }
    return results;
  } finally {
    db.close();
    store.close();
  }
}

async function elapsed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
