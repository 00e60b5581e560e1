import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as consumers from 'node:stream/consumers';
import { freePort } from '@early-access-kit/testkit/http-server';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { resolveFile, SETTINGS } from 'early-access-server/internal';
import PostalMime from 'postal-mime';
import { parameterDefaults, startEmulatorSuite } from './emulator-suite.ts';

/** Runs a site built for emulators. Environment variables set ports, mail and the admin's settings. */

const { env, stdout, stderr } = process;
/** Parameters that do not work in a local run. */
const FIXED = [
  ...['FUNCTIONS_REGION', 'ENFORCE_APP_CHECK', 'SIGNUP_FIELDS', 'MAIL_EVENTS'],
  ...['HUMAN_CHECK', 'HUMAN_CHECK_URL', 'HUMAN_CHECK_HOSTNAMES', 'HUMAN_CHECK_ACTION'],
];
/** The printed names of links in emails, by page. All other links are invitations. */
const LINK_NAMES = new Map([
  ['admin', 'Sign in    '],
  ['confirm', 'Confirm    '],
]);
const DEFAULTS = { ADMIN_EMAIL: 'admin@example.com', MAIL_FROM: 'Early access <hello@example.com>' };

function readSettings(): Record<string, string> {
  const names = ['MAIL_FROM', ...Object.keys(parameterDefaults())].filter((name) => !FIXED.includes(name));
  const given = names.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  const settings: Record<string, string> = { ...DEFAULTS, ...Object.fromEntries(given) };
  for (const name of ['BRAND_STYLES', 'BRAND_MARK', 'BRAND_FONT', 'MAIL_TEMPLATES', 'PAGE_TEXTS'])
    if (settings[name]) settings[name] = resolveFile(settings[name], process.cwd());
  return settings;
}

/**
 * Receives all emails, writes them to files that only the current user may read, and prints their links for signing in,
 * confirming and accepting an invitation.
 */
async function receiveMail(folder: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return startMailServer({
    onData(stream, _, callback) {
      const write = async (source: string) => {
        writeFileSync(path.join(folder, `${Date.now()}-${randomUUID()}.eml`), source, { mode: 0o600 });
        const { text = '' } = await PostalMime.parse(source);
        const [link, page] = /http\S*?([\w-]*)#(?:token|invite)=[\w-]+/.exec(text) ?? [];
        if (link !== undefined) stdout.write(`${LINK_NAMES.get(page ?? '') ?? 'Invite     '}${link}\n`);
        callback();
      };
      consumers.text(stream).then(write).catch(callback);
    },
  });
}

async function choosePort(name: string, fallback = '0'): Promise<number> {
  return SETTINGS.PORT.parse(env[name]?.trim() || fallback, name) || freePort();
}

async function run(): Promise<() => Promise<void>> {
  const { SMTP_URL, INVITE_KEY, WEBHOOK_ALLOW_LOCAL, SITE_DIR = '' } = env;
  const mailFolder = path.resolve(env.DATA_DIR || 'data', 'firebase-mail');
  const inbox = SMTP_URL ? null : await receiveMail(mailFolder);
  const settings = readSettings();
  try {
    const suite = await startEmulatorSuite({
      site: SITE_DIR,
      ports: {
        site: await choosePort('PORT', '4173'),
        firestore: await choosePort('FIRESTORE_PORT'),
        functions: await choosePort('FUNCTIONS_PORT'),
      },
      settings,
      secrets: { SMTP_URL: SMTP_URL || inbox?.url || '', ...(INVITE_KEY && { INVITE_KEY }) },
      env: { WEBHOOK_ALLOW_LOCAL },
      // Only lines from the functions.
      onLine: (line) => line.startsWith('>') && stderr.write(`${line.slice(1).trim()}\n`),
    });
    stdout.write(`Serving    ${suite.origin}
Firestore  ${suite.firestore.url} (Google’s emulator; empty again at the next start)
Functions  ${suite.functionsUrl} (with Hosting, firebase-tools’ emulators)
Mail       ${inbox === null ? 'to the server of SMTP_URL' : `${mailFolder} (.eml files)`}
Admin      ${settings.ADMIN_EMAIL} (Ctrl+Alt+A, or ${suite.origin}/admin/)
`);
    return async () => {
      await suite.stop();
      await inbox?.close();
    };
  } catch (error) {
    await inbox?.close();
    throw error;
  }
}

const running = run();
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    // Waits if it is still starting, because a half-started suite cannot be stopped.
    const stop = await running.catch(() => undefined);
    await stop?.();
    process.exit(0);
  });
}
running.catch((error: unknown) => {
  stderr.write(`early-access-firebase: ${error instanceof Error ? error.message : String(error)}\n`);
  stderr.write('PORT, FIRESTORE_PORT and FUNCTIONS_PORT choose other ports.\n');
  process.exitCode = 1;
});
