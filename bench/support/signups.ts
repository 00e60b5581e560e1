/** Signs people up in a store at full speed: `node signups.ts <count> <postgres URL or SQLite file>`. */
import { randomUUID } from 'node:crypto';
import { postgresStore } from 'early-access-server/postgres';
import { sqliteStore } from 'early-access-server/sqlite';

/** Concurrent requests per process. */
const AT_ONCE = 256;

const [count = '', place = ''] = process.argv.slice(2);
const store = place.startsWith('postgres://') ? postgresStore({ url: place }) : sqliteStore({ file: place });
await store.createSignup(newSignup());
process.stdout.write('ready\n');
// Waits until the other processes are ready, too.
await new Promise((resolve) => process.stdin.once('data', resolve));

let left = Number(count);
const started = performance.now();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (; left > 0; left -= 1) {
      if ((await store.createSignup(newSignup())) !== 'created') throw new Error('a signup was not stored');
    }
  }),
);
process.stdout.write(`took ${performance.now() - started}\n`);
await store.close();
process.stdin.destroy();

function newSignup() {
  return {
    email: `visitor-${randomUUID()}@example.org`,
    session_id: null,
    source: 'landing_page',
    referrer: 'https://news.example/item',
    submission_id: randomUUID(),
  };
}
