import { ConfigError } from '../app/config-error.ts';
import { describeError, jsonLog, type Log } from '../app/ports/log.ts';
import type { MailTransport } from '../app/ports/mail-transport.ts';
import type { Store } from '../app/ports/store.ts';
import { loadDashboard } from '../dashboard.ts';
import type { EarlyAccessOptions } from '../http/application/options.ts';
import { kitScripts, loadEmbed } from '../http/public/embed.ts';
import { readTemplates } from '../mail/templates/template-files.ts';
import { fileTransport } from '../mail/transports/file-transport.ts';
import { smtpTransport } from '../mail/transports/smtp-transport.ts';
import { type Config, dataPaths, pickAppOptions, readConfig } from '../settings/config.ts';
import type { Environment } from '../settings/setting.ts';
import { hintsAboutNames } from '../settings/setting-names.ts';
import { outageLog } from './outage-log.ts';

/** Deliveries that take longer have failed. The lease of a message is much longer. */
const SMTP_TIMEOUT_MS = 60_000;

/**
 * Reads the options of `createEarlyAccess` from the settings of `npx early-access-server`, for an application inside a
 * host: the store, emails, the dashboard, the scripts for other pages, and a log on standard error. Pass
 * `{ ...options, fields }` to replace some of them. `PORT` and `SITE_DIR` are ignored, because the host serves its own
 * pages on its own port. `HOST` is the host's listening address. Only if it is loopback (the default) are sign-in links
 * printed and is `admin@example.com` the default admin. Throws a `ConfigError` that names the invalid setting. Does not
 * fail if the database is unavailable.
 *
 * @example
 * const app = createEarlyAccess(await optionsFromEnv());
 */
export async function optionsFromEnv(env: Environment = process.env): Promise<EarlyAccessOptions> {
  const log = jsonLog(process.stderr);
  for (const hint of hintsAboutNames(env, [])) log('warn', 'setting-name', { hint });
  const config = readConfig({ ...env, PORT: undefined, SITE_DIR: undefined }, kitScripts());
  if (config.demo) throw new ConfigError('DEMO must be off here: it is for npx early-access-server only');
  const print = (line: Line) => void process.stdout.write(formatLine(line));
  noteSignIn(config, log);
  return loadOptions(config, { log, print, openStore: () => openStore(config, log) });
}

/** A line of the server's output: name and value. */
export type Line = readonly [name: string, value: string];

export function formatLine([name, value]: Line): string {
  return `${name.padEnd(8)} ${value}\n`;
}

interface Surroundings {
  readonly log: Log;
  readonly print: (line: Line) => void;
  readonly openStore: () => Promise<Store>;
}

/** Loads everything from the settings, and opens the store last, so that it need not be closed if a file is invalid. */
export async function loadOptions(config: Config, { log, print, openStore }: Surroundings) {
  const { mailFrom: from, mailReplyTo: replyTo, mailAddress: postalAddress, mailLanguage: language } = config;
  const embed = await loadEmbed(config.embedDir).catch(unusableFiles('EMBED_DIR'));
  const dashboard = await loadDashboard();
  const templates = config.mailTemplates === null ? {} : readTemplates(config.mailTemplates, config.fields);
  const folder = config.smtpUrl === null ? dataPaths(config.dataDir).mail : undefined;
  const mail = { transport: createTransport(config), from, replyTo, postalAddress, templates, language, folder };
  const store = await openStore();
  const quietLog = config.databaseUrl === null ? log : outageLog(log);
  return {
    ...pickAppOptions(config),
    ...{ store, embed, dashboard, mail, log: quietLog },
    ...(config.isLocalRun && {
      onSignInLink: (link: string) => print(['Sign-in', link]),
      onMailLink: (link: string, purpose: 'confirm' | 'invite') =>
        print([purpose === 'confirm' ? 'Confirm' : 'Invite', link]),
    }),
  };
}

/**
 * Returns whether sign-in links reach the admin: they are mailed, or printed on a local run. True if there is no admin,
 * because that is a different problem.
 */
export function canSignIn({ adminEmail, demo, smtpUrl, isLocalRun }: Config): boolean {
  return adminEmail === null || demo || smtpUrl !== null || isLocalRun;
}

/** Logs that nobody can open the dashboard. */
export function noteSignIn(config: Config, log: Log): void {
  if (canSignIn(config)) return;
  log('warn', 'sign-in-off', {
    reason:
      'SMTP_URL is not set, so no one can sign in to the dashboard: sign-in links are only printed on a local run',
  });
}

export function storeOptions({ mailsPerHour, welcomeEmail, confirm }: Config) {
  return { mailsPerHour, welcomeEmail, confirm };
}

export function unusableFiles(setting: string): (error: unknown) => never {
  return (error) => {
    throw new ConfigError(`the files in ${setting} cannot be served: ${describeError(error)}; build them again`);
  };
}

/** Stores are loaded only if used: one needs a driver, the other makes old versions of Node print a warning. */
async function openStore(config: Config, log: Log): Promise<Store> {
  const { databaseUrl: url, dataDir } = config;
  if (url === null) {
    const { openData } = await import('./data-folder.ts');
    return openData(dataDir, { ...storeOptions(config), log });
  }
  const { postgresStore } = await import('../stores/postgres/postgres-store.ts');
  return postgresStore({ url, ...storeOptions(config) });
}

function createTransport({ smtpUrl, dataDir, publicUrl }: Config): MailTransport {
  if (smtpUrl === null) return fileTransport({ folder: dataPaths(dataDir).mail });
  return smtpTransport({ url: smtpUrl, timeoutMs: SMTP_TIMEOUT_MS, name: publicUrl?.hostname });
}
