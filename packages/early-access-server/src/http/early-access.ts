import { DEFAULT_BRAND } from '../app/brand.ts';
import { silentLog } from '../app/log.ts';
import { type MailWorker, startMailWorker } from '../app/mail/mail-worker.ts';
import { DEFAULT_RETENTION_DAYS, startRetention } from '../app/retention.ts';
import { welcomeComposer } from '../mail/compose.ts';
import type { MailTemplates } from '../mail/template.ts';
import type { MailTransport } from '../mail/transport.ts';
import type { Store } from '../stores/store.ts';
import { type App, type AppOptions, createApp } from './app.ts';

export interface MailOptions {
  readonly transport: MailTransport;
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  /** Replaces the default emails, which are made of the brand alone. */
  readonly templates?: MailTemplates | undefined;
}

export interface EarlyAccessOptions extends AppOptions {
  readonly store: Store;
  /** Null: no emails are sent. */
  readonly mail?: MailOptions | null;
  /** Sessions older than this are deleted; their hourly sums stay. 395 by default. */
  readonly retentionDays?: number;
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
}

/**
 * The API, the form for browsers without scripts, the site and the welcome emails, over a store. Throws a `ConfigError` if the brand,
 * the sender or a template cannot be used.
 */
export function createEarlyAccess(options: EarlyAccessOptions): EarlyAccess {
  const { store, mail = null, publicUrl = null, clock = Date.now, log = silentLog } = options;
  const retention = { store, days: options.retentionDays ?? DEFAULT_RETENTION_DAYS, log, clock };
  let worker: MailWorker | null = null;
  let stopRetention = () => {};

  const brand = options.brand ?? DEFAULT_BRAND;
  const composer = (siteUrl: string, { from, templates }: MailOptions) =>
    welcomeComposer({ from, templates, brand: { ...brand, url: brand.url ?? publicUrl?.href ?? siteUrl } });
  if (mail) composer('http://localhost', mail);

  const { fetch } = createApp({ ...options, wakeMail: () => worker?.wake() });
  return {
    fetch,
    start(siteUrl = '') {
      stopRetention = startRetention(retention);
      if (mail === null) return;
      const compose = composer(siteUrl, mail);
      worker = startMailWorker({ queue: store.mails, transport: mail.transport, compose, log, clock });
    },
    async stop(withinMs = 0) {
      stopRetention();
      await worker?.stop(withinMs);
    },
  };
}
