import { DEFAULT_BRAND } from '../app/brand.ts';
import { silentLog } from '../app/log.ts';
import { mailService } from '../app/mail/mail-service.ts';
import { type MailWorker, startMailWorker } from '../app/mail/mail-worker.ts';
import { DEFAULT_RETENTION_DAYS, pruneOld, startRetention } from '../app/retention.ts';
import { welcomeComposer } from '../mail/compose.ts';
import type { MailTemplates } from '../mail/template.ts';
import type { MailTransport } from '../mail/transport.ts';
import type { Store } from '../stores/store.ts';
import { type App, type AppOptions, createApp } from './app.ts';

/** The site's address if no option gives one. */
const ANY_URL = 'http://localhost';

export interface MailOptions {
  readonly transport: MailTransport;
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  /** Replaces the default emails, which are made of the brand alone. */
  readonly templates?: MailTemplates | undefined;
}

export interface EarlyAccessOptions extends AppOptions {
  readonly store: Store;
  /** Null: no emails are sent; what is queued stays queued. */
  readonly mail?: MailOptions | null;
  /** Sessions older than this are deleted; their sums stay. 395 by default. Null: the database deletes them itself. */
  readonly retentionDays?: number | null;
}

/** The application: everything but the socket. */
export interface EarlyAccess extends App {
  /**
   * Starts sending queued emails and deleting old sessions, for as long as the process runs. `siteUrl` is where links in emails lead if
   * neither the brand nor `publicUrl` says so.
   */
  start(siteUrl?: string): void;
  /** Stops what `start` started. Waits at most `withinMs` for deliveries in progress; queued messages wait for the next start. */
  stop(withinMs?: number): Promise<void>;
  /**
   * One round for a cron job, for hosts without a long-running process: sends what is due and deletes old sessions. Begins nothing new after
   * `withinMs`, 60 seconds by default. Rounds may overlap. Rejects if the store fails.
   */
  runJobs(options?: { readonly withinMs?: number }): Promise<void>;
}

/**
 * The API, the form for browsers without scripts, the site and the welcome emails, over a store. Throws a `ConfigError` if the brand,
 * the sender or a template cannot be used.
 */
export function createEarlyAccess(options: EarlyAccessOptions): EarlyAccess {
  const { store, mail = null, publicUrl = null, clock = Date.now, log = silentLog } = options;
  const { retentionDays = DEFAULT_RETENTION_DAYS } = options;
  const retention = retentionDays === null ? null : { store, days: retentionDays, log, clock };
  let worker: MailWorker | null = null;
  let stopRetention = () => {};

  const brand = options.brand ?? DEFAULT_BRAND;
  const delivery = (siteUrl: string, { transport, from, templates }: MailOptions) => {
    const url = brand.url ?? publicUrl?.href ?? siteUrl;
    const compose = welcomeComposer({ from, templates, brand: { ...brand, url } });
    return { queue: store.mails, transport, compose, log, clock };
  };
  if (mail) delivery(ANY_URL, mail);

  const { fetch } = createApp({ ...options, wakeMail: () => worker?.wake() });
  return {
    fetch,
    start(siteUrl = ANY_URL) {
      if (retention) stopRetention = startRetention(retention);
      if (mail) worker = startMailWorker(delivery(siteUrl, mail));
    },
    async stop(withinMs = 0) {
      stopRetention();
      await worker?.stop(withinMs);
    },
    async runJobs({ withinMs = 60_000 } = {}) {
      const start = clock();
      if (mail) await mailService(delivery(ANY_URL, mail)).runDue({ withinMs });
      if (retention) await pruneOld(retention, async () => clock() - start <= withinMs);
    },
  };
}
