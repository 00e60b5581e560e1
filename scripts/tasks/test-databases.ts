/**
 * Tests on the databases themselves.
 * - `npm run test:postgres`: the Postgres store on real servers. The store contract and the failures of the server, which `npm test` runs too;
 *   the long rounds of its faults: 20 `kill -9` of servers that share a database, and the database away under load; and the product in a
 *   browser.
 * - `npm run test:emulator`: the rules and the adapter contract on Google's Firestore emulator. Needs Java 21 and internet access, because
 *   firebase-tools downloads the emulator. `npm test -- all` runs the same tests on the fake.
 */

import { run } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

const FIREBASE_TOOLS = 'firebase-tools@15';

process.exitCode = process.argv[2] === 'emulator' ? await testEmulator() : await testPostgres();

async function testPostgres(): Promise<number> {
  await buildOrExit(SELF_HOSTED);
  const tests = ['run', '--project', 'early-access-server', '--project', 'faults', 'postgres'];
  const browser = { cwd: 'e2e', env: { STORAGE: 'postgres' }, live: true };
  const codes = [
    (await run('vitest', tests, { env: { FAULTS: 'long', NO_COLOR: '1' }, live: true })).code,
    (await run('playwright', ['test', '--reporter=line'], browser)).code,
  ];
  return codes.some((code) => code !== 0) ? 1 : 0;
}

async function testEmulator(): Promise<number> {
  await buildOrExit(['early-access-kit#build']);
  const tests = 'vitest run --project emulator';
  const emulator = ['emulators:exec', '--only', 'firestore', '--project', 'demo-early-access', tests];
  const { code } = await run('npx', ['--yes', FIREBASE_TOOLS, ...emulator], { live: true });
  if (code !== 0)
    console.error(
      '\nGoogle’s emulator needs Java 21 and the internet. `npm test -- all` needs neither, and uses the fake.',
    );
  return code;
}
