import type { Log } from '@early-access-kit/backend';
import { fileTransport, type MailTransport, smtpTransport, welcomeComposer } from '@early-access-kit/welcome-email';
import { createApp } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { dataPaths, openData } from './data-folder.ts';
import { loadEmbed } from './embed/scripts.ts';
import { type Listening, listen } from './listen.ts';
import { reasonOf } from './log.ts';
import { startOutbox } from './outbox/outbox.ts';
import { startRetention } from './retention.ts';
import { loadSite } from './site/site.ts';

/** How long a stop waits for requests and for mails on their way. */
const DRAIN_MS = 8_000;
/** A delivery that takes longer has failed; the lease of a mail is far longer. */
const SMTP_TIMEOUT_MS = 60_000;

export interface RunningServer {
  readonly listening: Listening;
  /** Whether there are pages to serve. */
  readonly siteFound: boolean;
  /** Answers what is under way, keeps what was promised and closes everything. */
  stop(): Promise<void>;
}

/** Starts everything. Throws a `ConfigError` where a setting does not fit this machine. */
export async function serve(config: Config, log: Log): Promise<RunningServer> {
  const site = await loadSite(config.siteDir).catch((error: unknown) => {
    throw new ConfigError(`the site in SITE_DIR cannot be served: ${reasonOf(error)}; build it again`);
  });
  const embed = await loadEmbed(config.embedDir).catch((error: unknown) => {
    throw new ConfigError(`the scripts in EMBED_DIR cannot be served: ${reasonOf(error)}; build them again`);
  });
  const store = openData(config.dataDir, { mailsPerHour: config.mailsPerHour, log });
  // Mails wait for the port: where it is taken, another server may be at work and nothing may be sent.
  const bell = { wake: () => {} };
  const app = createApp({ ...config, store, site, embed, log, mailer: { wake: () => bell.wake() } });
  const listening = await listen({ app, port: config.port, hosts: config.hosts }).catch((error: unknown) => {
    store.close();
    throw error;
  });
  const siteUrl = config.publicUrl?.href ?? `http://localhost:${listening.port}/`;
  const outbox = startOutbox({
    mails: store.mails,
    transport: transportOf(config),
    compose: welcomeComposer(config.mailFrom, siteUrl),
    log,
  });
  bell.wake = outbox.wake;
  const stopRetention = startRetention({ store, days: config.retentionDays, log });
  return {
    listening,
    siteFound: site !== null,
    async stop() {
      stopRetention();
      // Side by side, so that a supervisor's usual 10 seconds suffice. Mail of the last sign-ups waits for the next start.
      await Promise.all([listening.close(DRAIN_MS), outbox.close(DRAIN_MS)]);
      store.close();
    },
  };
}

function transportOf({ smtpUrl, dataDir }: Config): MailTransport {
  if (smtpUrl === null) return fileTransport({ folder: dataPaths(dataDir).mail });
  return smtpTransport({ url: smtpUrl, timeoutMs: SMTP_TIMEOUT_MS });
}
