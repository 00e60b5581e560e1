import { once } from 'node:events';
import { type Awaitable, jsonLog, type Log } from '../app/ports/log.ts';
import type { Store } from '../app/ports/store.ts';
import { createEarlyAccess } from '../http/application/early-access.ts';
import { listen } from '../http/application/listen.ts';
import { loadSite, type Site } from '../http/pages/site/site.ts';
import { startPage } from '../http/pages/site/start-page.ts';
import { type Config, dataPaths, readConfig } from '../settings/config.ts';
import type { Environment } from '../settings/setting.ts';
import { type Command, type CommandContext, noArguments } from './command.ts';
import { openData } from './data-folder.ts';
import { DEMO_ADMIN, openDemo } from './demo/demo.ts';
import { openSamples } from './demo/sample-data.ts';
import {
  canSignIn,
  formatLine,
  type Line,
  loadOptions,
  noteSignIn,
  storeOptions,
  unusableFiles,
} from './options-from-env.ts';
import { openPostgres, readServerAddress } from './postgres.ts';

/** How long a stop waits for requests and deliveries in progress. */
const DRAIN_MS = 8_000;

/** Creates the command that serves until SIGTERM or SIGINT. `builtScripts` is the folder of scripts for other sites. */
export function serveCommand(builtScripts: string): Command {
  return async (context) => {
    noArguments(context, 'serve');
    // A second signal ends the process immediately, as in other programs.
    const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    const config = readConfig(context.env, builtScripts);
    const log = jsonLog(context.stderr);
    const print = (...lines: readonly Line[]) => void context.stdout.write(lines.map(formatLine).join(''));
    const server = await serve(config, log, print);
    print(...describe(config, server, context));
    noteSignIn(config, log);
    await stopped;
    log('info', 'stopping');
    await server.stop();
    log('info', 'stopped');
    return 0;
  };
}

/** Starts everything. Throws a `ConfigError` if a setting does not work on this machine. */
async function serve(config: Config, log: Log, print: (line: Line) => void) {
  const start = config.isLocalRun && config.siteDir === null ? startPage(config.brand) : null;
  const { siteDir, sitePolicy: policy } = config;
  const site = siteDir === null ? start?.site : await loadSite(siteDir, { policy }).catch(unusableFiles('SITE_DIR'));
  const options = await loadOptions(config, { log, print, openStore: async () => openStore(config, log) });
  const { store } = options;
  const app = config.demo ? await openDemo({ ...options, site }) : createEarlyAccess({ ...options, site });
  const { port, hosts, trustProxy } = config;
  const listening = await listen({ app, port, hosts, trustProxy, log }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  // Not before the port is open: if it is taken, another server may be running, and nothing may be sent.
  const origin = `http://localhost:${listening.port}`;
  app.start(`${origin}/`);
  await start?.show(origin);
  return {
    listening,
    site,
    async stop() {
      // At the same time, to stay within the 10 seconds that supervisors usually allow.
      await Promise.all([listening.close(DRAIN_MS), app.stop(DRAIN_MS)]);
      await store.close();
    },
  };
}

/** If the database is unavailable, the start fails. */
function openStore(config: Config, log: Log): Awaitable<Store> {
  if (config.demo) return openSamples();
  return config.databaseUrl === null
    ? openData(config.dataDir, { ...storeOptions(config), log })
    : openPostgres(config.databaseUrl, storeOptions(config));
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
    ...(config.hostedForms.joinPage ? [['Join', new URL('/join', config.publicUrl ?? origin).href] as const] : []),
    ['Data', dataLine(config, database)],
    ['Mail', mailLine(config, mail)],
    ['Admin', adminLine(config, env, new URL('/admin', config.publicUrl ?? origin).href)],
  ];
}

function dataLine({ demo, databaseUrl }: Config, file: string): string {
  if (demo) return 'in memory; what visitors type is deleted within an hour (DEMO)';
  return databaseUrl === null ? file : `Postgres at ${readServerAddress(databaseUrl)}`;
}

function mailLine({ demo, welcomeEmail, confirm, smtpUrl }: Config, folder: string): string {
  if (demo) return 'none (DEMO)';
  const target = smtpUrl === null ? `${folder} (one .eml file each; set SMTP_URL to send)` : new URL(smtpUrl).host;
  if (confirm) return `${target}; signups are confirmed (CONFIRM)`;
  return welcomeEmail ? target : `${target}; no welcome emails (WELCOME_EMAIL)`;
}

function siteLine({ siteDir, isLocalRun }: Config, site: Site | undefined): string {
  if (siteDir === null)
    return `none${isLocalRun ? ', except a page to try the form' : ''}; set SITE_DIR to serve a site`;
  return site?.isBuilt ? siteDir : `not built (npm run build), looked in ${siteDir}; the API is served`;
}

function adminLine(config: Config, { ADMIN_EMAIL }: Environment, dashboardUrl: string): string {
  const { adminEmail, demo } = config;
  if (demo) return `${dashboardUrl}, which anyone can read, or Ctrl+Alt+A for ${DEMO_ADMIN} (DEMO)`;
  if (adminEmail === null)
    return 'none: set ADMIN_EMAIL to the address that may read the analytics summary and open the dashboard';
  if (!canSignIn(config))
    return 'Ctrl+Alt+A, for ADMIN_EMAIL; no one can sign in to the dashboard, because SMTP_URL is not set';
  const admin = ADMIN_EMAIL ? 'ADMIN_EMAIL' : `${adminEmail} (set ADMIN_EMAIL to change it)`;
  return `${dashboardUrl}, or Ctrl+Alt+A on a page with the overlay, for ${admin}`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
