import { silentLog } from '../app/log.ts';
import { type Outbox, startOutbox } from '../app/mail/outbox.ts';
import { DEFAULT_RETENTION_DAYS, startRetention } from '../app/retention.ts';
import type { MailTransport } from '../mail/transport.ts';
import { welcomeComposer } from '../mail/welcome.ts';
import type { Store } from '../stores/sqlite/store.ts';
import { type App, type AppOptions, createApp } from './app.ts';

export interface EarlyAccessOptions extends AppOptions {
  readonly store: Store;
  /** How welcome emails are sent, and from whom. Null: none are sent. */
  readonly mail?: { readonly transport: MailTransport; readonly from: string } | null;
  /** Sessions older than this are deleted; their hourly sums stay. 395 by default. */
  readonly retentionDays?: number;
}

/** The application: everything but the socket. */
export interface EarlyAccess extends App {
  /**
   * Starts sending queued emails and deleting old sessions, for as long as the process runs. `siteUrl` is where links in emails lead if
   * there is no `publicUrl`.
   */
  start(siteUrl?: string): void;
  /** Stops what `start` started. Waits at most `withinMs` for deliveries in progress; queued messages wait for the next start. */
  stop(withinMs?: number): Promise<void>;
}

/** The API, the form for browsers without scripts, the site and the welcome emails, over a store. */
export function createEarlyAccess(options: EarlyAccessOptions): EarlyAccess {
  const { store, mail = null, publicUrl = null, clock = Date.now, log = silentLog } = options;
  const retention = { store, days: options.retentionDays ?? DEFAULT_RETENTION_DAYS, log, clock };
  let worker: Outbox | null = null;
  let stopRetention = () => {};

  const { fetch } = createApp({ ...options, wakeMail: () => worker?.wake() });
  return {
    fetch,
    start(siteUrl = '') {
      stopRetention = startRetention(retention);
      if (mail === null) return;
      const compose = welcomeComposer(mail.from, publicUrl?.href ?? siteUrl);
      worker = startOutbox({ mails: store.mails, transport: mail.transport, compose, log, clock });
    },
    async stop(withinMs = 0) {
      stopRetention();
      await worker?.close(withinMs);
    },
  };
}
