/**
 * The response time of a signup on Firebase, through the function and written by the browser, on the emulators:
 * `node bench/signup-answers.ts`. Needs `turbo run site#build:demo early-access-firebase#build`. The first call of a
 * function starts its process, like a cold start.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import { freePort } from '@early-access-kit/testkit/http-server';
import { signupOf } from '@early-access-kit/testkit/records';
import { PROJECT, startEmulatorSuite } from 'early-access-firebase/local';
import { generateRules } from 'early-access-firebase/rules';
import { type FirestoreAdapterOptions, firestoreAdapter } from 'early-access-kit/adapters/firestore';

const TEMPLATE = readFileSync(new URL('../packages/early-access-firebase/firestore.rules', import.meta.url), 'utf8');
const WARM_CALLS = 20;

const suite = await startEmulatorSuite({
  site: fileURLToPath(new URL('../site/dist-demo/client', import.meta.url)),
  ports: { site: await freePort(), firestore: await freePort(), functions: await freePort() },
  settings: { MAIL_FROM: 'hello@example.com', ADMIN_EMAIL: 'admin@example.com' },
  secrets: { SMTP_URL: 'smtp://127.0.0.1:9' },
});
try {
  await connectFirestoreEmulator(suite.firestore.host)
    .database(PROJECT)
    .setRules(generateRules(TEMPLATE, { directSignups: true }));
  const emulator = { firestore: suite.firestore.url, functions: suite.functionsUrl };
  await measure('written by the browser', { emulator, directSignups: true });
  await measure('through the function  ', { emulator, endpoint: `${suite.origin}/api` });
} finally {
  await suite.stop();
}

async function measure(name: string, options: Partial<FirestoreAdapterOptions>): Promise<void> {
  const adapter = firestoreAdapter({ projectId: PROJECT, apiKey: 'demo-key', deadlineMs: 60_000, ...options });
  const times: number[] = [];
  for (let call = 0; call <= WARM_CALLS; call += 1) {
    const start = performance.now();
    await adapter.createSignup(signupOf({ email: `person-${call}-${options.directSignups ?? false}@example.org` }));
    times.push(performance.now() - start);
  }
  const [cold = Number.NaN, ...warm] = times.map(Math.round);
  const median = warm.toSorted((a, b) => a - b)[WARM_CALLS / 2];
  process.stdout.write(`${name}: first ${cold} ms, then ${median} ms (median of ${WARM_CALLS})\n`);
}
