import { fileURLToPath } from 'node:url';
import { startHostProxy } from '@early-access-kit/testkit/host-proxy';
import { freePort } from '@early-access-kit/testkit/http-server';
import { SITE_BRAND } from '@early-access-kit/testkit/site-settings';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { PROJECT, startEmulatorSuite } from 'early-access-firebase/local';
import { firebaseAccounts } from './accounts.ts';
import { ADMIN_EMAIL, type Backend, MAIL_FROM } from './backend.ts';
import { connectFirestore } from './firestore-database.ts';
import { startGate } from './tcp-gate.ts';

const SITE = fileURLToPath(new URL('../../site/dist-demo/client', import.meta.url));
const REGION = 'us-central1';
const FUNCTIONS = ['read-analytics', 'accept-signups', 'submit-signup-form', 'admin', 'links'];

/**
 * The site as deployed, its functions with a real SMTP server, and Firestore, on emulators. Pages reach them through a
 * proxy under the names of Google's servers, and Hosting through a gate. `settings` and `secrets` extend those of every
 * test.
 */
export async function startOnFirestore(
  settings: Readonly<Record<string, string>> = {},
  secrets: Readonly<Record<string, string>> = {},
): Promise<Backend> {
  const mailbox = await startMailServer();
  const authPort = await freePort();
  // Sites that invite people have a product for them.
  const hasProduct = settings.INVITE_URL !== undefined;
  const ports = {
    site: await freePort(),
    firestore: await freePort(),
    functions: await freePort(),
    ...(hasProduct && { auth: authPort }),
  };
  const gate = await startGate(ports.site);
  const suite = await startEmulatorSuite({
    site: SITE,
    ports,
    settings: {
      ...SITE_BRAND,
      ...{ PUBLIC_URL: gate.origin, MAIL_FROM, ADMIN_EMAIL, MAILS_PER_HOUR: '100000' },
      ...(hasProduct && { GATE_SIGN_UPS: 'on' }),
      ...settings,
    },
    secrets: { SMTP_URL: mailbox.url, ...secrets },
    env: { WEBHOOK_ALLOW_LOCAL: 'on' },
    scheduleMs: 2_000,
  });
  const functionsUrl = `${suite.functionsUrl}/${PROJECT}/${REGION}`;
  // Each function starts a process for its first call, which may take longer than a page waits.
  await Promise.all(FUNCTIONS.map((name) => fetch(`${functionsUrl}/${name}`, { method: 'OPTIONS' })));
  const proxy = await startHostProxy(
    new Map([
      ['firestore.googleapis.com', suite.firestore.url],
      [`${REGION}-${PROJECT}.cloudfunctions.net`, functionsUrl],
    ]),
  );
  const firestore = connectFirestore(suite.firestore.url, PROJECT);
  return {
    server: {
      origin: gate.origin,
      pid: process.pid,
      get log() {
        return suite.log();
      },
      async start() {
        proxy.resume();
        gate.resume();
      },
      async stop() {
        proxy.interrupt();
        gate.interrupt();
      },
      kill: () => Promise.reject(new Error('nothing here can crash by itself')),
    },
    publicUrl: gate.origin,
    mailbox,
    database: firestore.database,
    proxy: proxy.url,
    createAccount: firebaseAccounts(`http://127.0.0.1:${authPort}`),
    // For the functions, all tests of a worker are a single caller.
    forgetCallers: () => firestore.clear('throttles'),
    async close() {
      await proxy.close();
      await gate.close();
      await suite.stop();
      await mailbox.close();
    },
  };
}
