import {
  createEarlyAccess,
  type EarlyAccess,
  fileTransport,
  jsonLog,
  loadDashboard,
  loadEmbed,
  smtpTransport,
} from 'early-access-server';
import { sqliteStore } from 'early-access-server/sqlite';

const { SMTP_URL, MAIL_FROM = 'hello@example.com', ADMIN_EMAIL, DATA_DIR = 'data' } = process.env;
const { PUBLIC_URL = 'http://localhost:3000' } = process.env;

async function create(): Promise<EarlyAccess> {
  const created = createEarlyAccess({
    store: sqliteStore({ file: `${DATA_DIR}/early-access.sqlite` }),
    dashboard: await loadDashboard(),
    embed: await loadEmbed(),
    publicUrl: new URL(PUBLIC_URL),
    adminEmail: ADMIN_EMAIL ?? null,
    brand: { name: 'Example' },
    mail: {
      from: MAIL_FROM,
      transport: SMTP_URL ? smtpTransport({ url: SMTP_URL }) : fileTransport({ folder: `${DATA_DIR}/mail` }),
      folder: SMTP_URL ? null : `${DATA_DIR}/mail`,
    },
    onSignInLink: SMTP_URL ? null : console.log,
    log: jsonLog(process.stderr),
  });
  created.start();
  return created;
}

declare global {
  var sharedEarlyAccess: Promise<EarlyAccess> | undefined;
}

/** One for the process, also after a change during development. Nothing is opened by a build. */
export function earlyAccess(): Promise<EarlyAccess> {
  globalThis.sharedEarlyAccess ??= create();
  return globalThis.sharedEarlyAccess;
}
