import type { Log } from '../app/log.ts';
import { reasonOf } from '../app/log.ts';
import { startOutbox } from '../app/mail/outbox.ts';
import { startRetention } from '../app/retention.ts';
import { createApp } from '../http/app.ts';
import { loadEmbed } from '../http/embed/scripts.ts';
import { type Listening, listen } from '../http/listen.ts';
import { loadSite } from '../http/site/site.ts';
import { fileTransport } from '../mail/file-transport.ts';
import { smtpTransport } from '../mail/smtp-transport.ts';
import type { MailTransport } from '../mail/transport.ts';
import { welcomeComposer } from '../mail/welcome.ts';
import { type Config, ConfigError } from './config.ts';
import { dataPaths, openData } from './data-folder.ts';

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
