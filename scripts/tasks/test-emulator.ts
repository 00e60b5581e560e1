/**
 * Runs the tests of the rules and the adapter contract on Google's emulator: `npm run test:emulator`. Needs Java 21 and internet access,
 * because firebase-tools downloads the emulator. `npm test -- all` runs the same tests on the fake.
 */
import { EMULATORS } from '../emulators.ts';
import { run } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

const FIREBASE_TOOLS = 'firebase-tools@15';
const TESTS = 'vitest run --project emulator';

await buildOrExit(['early-access-kit#build']);
const emulator = ['emulators:exec', '--only', 'firestore', '--project', EMULATORS.projectId, TESTS];
const { code } = await run('npx', ['--yes', FIREBASE_TOOLS, ...emulator], { live: true });
if (code !== 0)
  console.error(
    '\nGoogle’s emulator needs Java 21 and the internet. `npm test -- all` needs neither, and uses the fake.',
  );
process.exitCode = code;
