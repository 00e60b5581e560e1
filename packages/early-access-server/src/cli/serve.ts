import { once } from 'node:events';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { describeError, jsonLog, type Log } from '../app/ports/log.ts';
import type { MailTransport } from '../app/ports/mail-transport.ts';
import { loadDashboard } from '../dashboard.ts';
import { loadSite, type Site } from '../http/pages/site/site.ts';
import { startPage } from '../http/pages/site/start-page.ts';
import { loadEmbed } from '../http/public/embed.ts';
import { createEarlyAccess } from '../http/server/early-access.ts';
import { listen } from '../http/server/listen.ts';
import { readTemplates } from '../mail/templates/template-files.ts';
import { fileTransport } from '../mail/transports/file-transport.ts';
import { smtpTransport } from '../mail/transports/smtp-transport.ts';
import { type Command, type CommandContext, noArguments } from './command.ts';
import { type Config, pickAppOptions, readConfig } from './config.ts';
import { dataPaths, openData } from './data-folder.ts';
import { openPostgres, readServerAddress } from './postgres.ts';
import type { Environment } from './setting.ts';

/** How long a stop waits for requests and deliveries in progress. */
const DRAIN_MS = 8_000;
/** A delivery that takes longer has failed. The lease of a message is far longer. */
const SMTP_TIMEOUT_MS = 60_000;

/** One line of what the server prints: a name and its value. */
type Line = readonly [name: string, value: string];

/** Makes the command that serves until SIGTERM or SIGINT. `builtScripts` is the folder of the scripts for other sites. */
export function serveCommand(builtScripts: string): Command {
  return async (context) => {
    noArguments(context, 'serve');
    // A second signal ends the process at once, as in any other program.
    const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    const config = readConfig(context.env, builtScripts);
    const log = jsonLog(context.stderr);
    const print = (lines: readonly Line[]) => void context.stdout.write(lines.map(formatLine).join(''));
    const server = await serve(config, log, print);
    print(describe(config, server, context));
    if (config.adminEmail === null) {
      log('warn', 'summary-off', { reason: 'ADMIN_EMAIL is not set, and the server may be reached from elsewhere' });
    }
    if (!canSignIn(config)) {
      log('warn', 'sign-in-off', {
        reason:
          'SMTP_URL is not set, so no one can sign in to the dashboard: sign-in links are only printed on a local run',
      });
    }
    await stopped;
    log('info', 'stopping');
    await server.stop();
    log('info', 'stopped');
    return 0;
  };
}

/** Starts everything. Throws a `ConfigError` if a setting does not fit this machine. */
async function serve(config: Config, log: Log, print: (lines: readonly Line[]) => void) {
  const unusable = (setting: string) => (error: unknown) => {
    throw new ConfigError(`the files in ${setting} cannot be served: ${describeError(error)}; build them again`);
  };
  const start = config.isLocalRun && config.siteDir === null ? startPage(config.brand) : null;
  const site = config.siteDir === null ? start?.site : await loadSite(config.siteDir).catch(unusable('SITE_DIR'));
  const embed = await loadEmbed(config.embedDir).catch(unusable('EMBED_DIR'));
  const dashboard = await loadDashboard();
  const templates = config.mailTemplates === null ? {} : readTemplates(config.mailTemplates, config.fields);
  const { mailsPerHour, welcomeEmail, confirm, mailLanguage: language } = config;
  const options = { mailsPerHour, welcomeEmail, confirm };
  const store =
    config.databaseUrl === null
      ? openData(config.dataDir, { ...options, log })
      : await openPostgres(config.databaseUrl, options);
  const folder = config.smtpUrl === null ? dataPaths(config.dataDir).mail : null;
  const { mailFrom: from, mailReplyTo: replyTo, mailAddress: postalAddress } = config;
  const mail = { transport: createTransport(config), from, replyTo, postalAddress, templates, language, folder };
  const app = createEarlyAccess({
    ...pickAppOptions(config),
    ...{ store, site, embed, dashboard, mail, log },
    ...(config.isLocalRun && {
      onSignInLink: (link) => print([['Sign-in', link]]),
      onMailLink: (link, purpose) => print([[purpose === 'confirm' ? 'Confirm' : 'Invite', link]]),
    }),
  });
  const listening = await listen({ app, port: config.port, hosts: config.hosts }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  // Only now: if the port is taken, another server may be running and nothing may be sent.
  const origin = `http://localhost:${listening.port}`;
  app.start(`${origin}/`);
  await start?.show(origin);
  return {
    listening,
    /** Null: not built. Undefined: none. */
    site,
    async stop() {
      // Together, so that the usual 10 seconds of a supervisor suffice.
      await Promise.all([listening.close(DRAIN_MS), app.stop(DRAIN_MS)]);
      await store.close();
    },
  };
}

function createTransport({ smtpUrl, dataDir }: Config): MailTransport {
  if (smtpUrl === null) return fileTransport({ folder: dataPaths(dataDir).mail });
  return smtpTransport({ url: smtpUrl, timeoutMs: SMTP_TIMEOUT_MS });
}

function describe(
  config: Config,
  { listening, site }: Awaited<ReturnType<typeof serve>>,
  { env, envFile }: CommandContext,
): readonly Line[] {
  const { database, mail } = dataPaths(config.dataDir);
  const host = listening.hosts.includes('127.0.0.1') ? 'localhost' : bracketed(listening.hosts[0] ?? 'localhost');
  const origin = `http://${host}:${listening.port}`;
  return [
    ['Serving', origin],
    ...(config.publicUrl === null ? [] : [['Public', config.publicUrl.href] as const]),
    ...(envFile === undefined ? [] : [['Settings', envFile] as const]),
    ['Site', siteLine(config, site)],
    ['Data', config.databaseUrl === null ? database : `Postgres at ${readServerAddress(config.databaseUrl)}`],
    ['Mail', mailLine(config, mail)],
    ['Admin', adminLine(config, env, new URL('/admin', config.publicUrl ?? origin).href)],
  ];
}

function formatLine([name, value]: Line): string {
  return `${name.padEnd(8)} ${value}\n`;
}

function mailLine({ welcomeEmail, confirm, smtpUrl }: Config, folder: string): string {
  const target = smtpUrl === null ? `${folder} (one .eml file each; set SMTP_URL to send)` : new URL(smtpUrl).host;
  if (confirm) return `${target}; signups are confirmed (CONFIRM)`;
  return welcomeEmail ? target : `${target}; no welcome emails (WELCOME_EMAIL)`;
}

function siteLine({ siteDir, isLocalRun }: Config, site: Site | null | undefined): string {
  if (siteDir === null)
    return `none${isLocalRun ? ', but a page to try the form' : ''}; SITE_DIR names the folder of one`;
  return site ? siteDir : `not built (npm run build), looked in ${siteDir}; the API is served`;
}

function adminLine(config: Config, { ADMIN_EMAIL }: Environment, dashboardUrl: string): string {
  const { adminEmail } = config;
  if (adminEmail === null)
    return 'none: set ADMIN_EMAIL to the address that may read the analytics summary and open the dashboard';
  if (!canSignIn(config))
    return 'Ctrl+Alt+A, for ADMIN_EMAIL; no one can sign in to the dashboard, because SMTP_URL is not set';
  const admin = ADMIN_EMAIL ? 'ADMIN_EMAIL' : `${adminEmail} (set ADMIN_EMAIL to change it)`;
  return `${dashboardUrl}, or Ctrl+Alt+A on a page with the overlay, for ${admin}`;
}

/** Sign-in links are mailed, or printed on a local run. True without an admin, who is missing for another reason. */
function canSignIn({ adminEmail, smtpUrl, isLocalRun }: Config): boolean {
  return adminEmail === null || smtpUrl !== null || isLocalRun;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
