import { fileURLToPath } from 'node:url';
import { type LocalFirebaseOptions, startLocalFirebase } from '@early-access-kit/firebase/local';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { readTemplates, smtpTransport } from 'early-access-server/app';
import { EMULATORS, SITE_BRAND } from '../../scripts/site-settings.ts';
import { ADMIN_EMAIL, type Backend, MAIL_FROM } from './backend.ts';
import { mirrorOf } from './firestore-database.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** To the functions, all tests of a worker are the same caller. */
const PLENTY = { burst: 10_000, perMinute: 10_000 };

/**
 * The site's local build, the real functions with a real SMTP server, and the Firestore fake with the deployed rules. `more` adds to the
 * settings that every test needs.
 */
export async function startOnFirestore(
  more: Pick<LocalFirebaseOptions, 'confirm' | 'invites' | 'webhooks'> = {},
): Promise<Backend> {
  const mailbox = await startMailServer();
  const transport = smtpTransport({ url: mailbox.url, timeoutMs: 10_000 });
  const local = await startLocalFirebase({
    projectId: EMULATORS.projectId,
    config: `${ROOT}/site/dist-emulator/firebase.json`,
    root: ROOT,
    ports: { site: 0, firestore: 0, functions: 0 },
    transport,
    mailFrom: MAIL_FROM,
    brand: SITE_BRAND,
    templates: readTemplates(SITE_BRAND.MAIL_TEMPLATES ?? ''),
    adminEmail: ADMIN_EMAIL,
    mailsPerHour: 100_000,
    rateLimits: {
      welcomeEmails: PLENTY,
      signupForms: PLENTY,
      wrongAdmins: PLENTY,
      allWrongAdmins: PLENTY,
      signupsPerAddress: PLENTY,
      welcomeEmailsPerAddress: PLENTY,
      confirmations: PLENTY,
      renewals: PLENTY,
      signIns: PLENTY,
    },
    summaryMaxAgeMs: 0,
    scheduleMs: 2_000,
    log: () => {},
    ...more,
  });
  return {
    server: {
      origin: local.origin,
      pid: process.pid,
      log: '',
      start: local.resume,
      stop: local.interrupt,
      kill: () => Promise.reject(new Error('nothing here can crash by itself')),
    },
    mailbox,
    database: mirrorOf(local.fake.store),
    async close() {
      await local.stop();
      await transport.close();
      await mailbox.close();
    },
  };
}
