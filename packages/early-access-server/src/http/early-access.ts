import { randomUUID } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import { adminsOf } from '../app/access/admin-check.ts';
import { countingLimiter } from '../app/access/limits-hit.ts';
import { isLoopback } from '../app/access/loopback.ts';
import { memoryRateLimiter } from '../app/access/memory-rate-limiter.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../app/access/rate-limits.ts';
import { adminSessions } from '../app/admin/admin-sessions.ts';
import { deliverSignIn, randomSignInDelay } from '../app/admin/sign-in-mail.ts';
import { tallyCounter } from '../app/analytics/tally-counter.ts';
import { background as backgroundWork } from '../app/background.ts';
import { DEFAULT_BRAND } from '../app/brand.ts';
import { mountMistakes } from '../app/host-mistakes.ts';
import { type Job, openFor, type RunningJob } from '../app/jobs.ts';
import type { Language } from '../app/language.ts';
import { lateJobs } from '../app/late-jobs.ts';
import { reasonOf, silentLog } from '../app/ports.ts';
import { DEFAULT_RETENTION_DAYS } from '../app/retention.ts';
import { type WebhookTransport, webhookRequest } from '../app/webhooks/webhook-request.ts';
import type { Webhook } from '../app/webhooks/webhook-store.ts';
import { adminComposer } from '../mail/compose.ts';
import type { MailTransport } from '../mail/email.ts';
import { mailFolder } from '../mail/mail-folder.ts';
import { messageComposer } from '../mail/message-composer.ts';
import type { MailTemplates } from '../mail/template.ts';
import type { Store } from '../stores/store.ts';
import { httpDelivery } from '../webhooks/http-delivery.ts';
import { type App, type AppOptions, createApp } from './app.ts';
import { createJobs } from './create-jobs.ts';

const { version } = packageJson;

/** The site's address if no option gives one. */
const ANY_URL = 'http://localhost';

export interface MailOptions {
  readonly transport: MailTransport;
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  /** Replaces the default emails, which are made of the brand alone. */
  readonly templates?: MailTemplates | undefined;
  /** Of the default emails to people. English by default. */
  readonly language?: Language | undefined;
  /** The folder that the transport writes emails to, if it does: forgetting a person deletes theirs. */
  readonly folder?: string | null;
}

export interface EarlyAccessOptions extends AppOptions {
  readonly store: Store;
  /** Null: no emails are sent; what is queued stays queued. */
  readonly mail?: MailOptions | null;
  /**
   * `allowLocal`: endpoints may use http, and addresses of this machine and its networks. False by default. `transport` posts instead of
   * the built-in client, which only connects to public addresses.
   */
  readonly webhooks?: { readonly allowLocal?: boolean; readonly transport?: WebhookTransport };
  /** Sessions older than this are deleted; their sums stay. 395 by default. Null: the database deletes them itself. */
  readonly retentionDays?: number | null;
  /**
   * Stores that a sign-in link was asked for with this address, which may be anyone's, so that something else passes it to
   * `deliverSignIn`: for hosts whose process may end with the response. By default the link is sent after the response.
   */
  readonly queueSignIn?: ((email: string) => Promise<void>) | undefined;
  /**
   * How long the link waits after the response. Only an admin's address causes work, and it must not slow the caller's next request down. A
   * random time of at most two seconds by default.
   */
  readonly signInDelayMs?: () => number;
  /** Also gets every sign-in link that leads to this machine, to print it on a local run that sends no emails. Never gets any other. */
  readonly onSignInLink?: ((link: string) => void) | null;
}

/** The application: everything but the socket. */
export interface EarlyAccess extends App {
  /**
   * Starts the jobs: sending queued emails, deleting old sessions and so on, for as long as the process runs. `siteUrl` is where links in emails lead if
   * neither the brand nor `publicUrl` says so. Does nothing if they run already.
   */
  start(siteUrl?: string): void;
  /** Stops what `start` started. Waits at most `withinMs` for deliveries in progress; queued messages wait for the next start. */
  stop(withinMs?: number): Promise<void>;
  /**
   * One round for a cron job, for hosts without a long-running process: sends what is due, deletes old sessions and so on. Begins nothing new after
   * `withinMs`, 60 seconds by default. Rounds may overlap. Rejects if the store fails.
   */
  runJobs(options?: { readonly withinMs?: number }): Promise<void>;
  /** Sends a sign-in link if the address is an admin's, and does nothing for any other. For hosts with `queueSignIn`. */
  deliverSignIn(email: string): Promise<void>;
}

/**
 * The API, the form for browsers without scripts, the site, the admin's dashboard and the emails, over a store. Throws a `ConfigError` if
 * the brand, the sender or a template cannot be used.
 */
export function createEarlyAccess(options: EarlyAccessOptions): EarlyAccess {
  const { store, mail = null, publicUrl = null, clock = Date.now, log = silentLog } = options;
  const { retentionDays = DEFAULT_RETENTION_DAYS, signInDelayMs = randomSignInDelay } = options;
  const admins = adminsOf(options.adminEmail ?? null);
  const background = backgroundWork(log);
  const limitsHit = new Map<keyof RateLimits, number>();
  const limiter = countingLimiter(
    options.rateLimiter ?? memoryRateLimiter({ ...DEFAULT_RATE_LIMITS, ...options.rateLimits }, clock),
    limitsHit,
  );
  const tallies = tallyCounter(store.analytics, log);
  /** Those that `start` has started. */
  let running: readonly RunningJob[] = [];
  const mistakes = mountMistakes({ log, clock });
  const late = lateJobs({
    mails: store.mails,
    clock,
    onLate: () => mistakes.note('jobs-not-running'),
    onError: (error) => log('error', 'jobs-not-checked', { reason: reasonOf(error) }),
  });
  const wake = () => {
    if (running.length === 0 && mail !== null) late.expectRun();
    for (const job of running) job.wake();
  };
  let siteUrl = ANY_URL;

  const brand = options.brand ?? DEFAULT_BRAND;
  const composerOptions = ({ from, templates }: MailOptions) => {
    const url = brand.url ?? publicUrl?.href ?? siteUrl;
    return { from, templates, brand: { ...brand, url } };
  };
  const composer = (mail: MailOptions) =>
    messageComposer({
      ...composerOptions(mail),
      language: mail.language,
      siteUrl: publicUrl?.href ?? siteUrl,
      inviteUrl: options.invites?.url.href,
    });
  const delivery = (mail: MailOptions) => ({
    queue: store.mails,
    transport: mail.transport,
    compose: composer(mail),
    log,
    clock,
  });
  const adminMail = (mail: MailOptions) => ({
    transport: mail.transport,
    composer: adminComposer(composerOptions(mail)),
  });
  if (mail) {
    delivery(mail);
    adminMail(mail);
  }

  const dashboardUrl = () => new URL('/admin', publicUrl ?? siteUrl).href;
  const { allowLocal = false, transport } = options.webhooks ?? {};
  const webhookTransport = () => transport ?? httpDelivery({ allowLocal });
  const sendTest = (webhook: Webhook) => {
    const event = { id: randomUUID(), type: 'test', at: clock(), person: 'test' } as const;
    return webhookTransport().post(webhookRequest(webhook, event, null, clock()));
  };

  /** Made late, because the site's address may come with `start`, and once, because some of them know what to try again. */
  let createdJobs: readonly Job[] | undefined;
  function jobs(): readonly Job[] {
    createdJobs ??= createJobs({
      store,
      mail: mail && delivery(mail),
      admins,
      webhookTransport,
      retentionDays,
      wake,
      log,
      clock,
    });
    return createdJobs;
  }

  const sendSignIn = (email: string) =>
    deliverSignIn(email, {
      store: store.admin,
      admins,
      limiter,
      clock,
      log,
      mail: mail && adminMail(mail),
      dashboardUrl: dashboardUrl(),
      onSignInLink: isLoopback(new URL(dashboardUrl()).hostname) ? (options.onSignInLink ?? null) : null,
    });

  const { fetch, handles } = createApp({
    ...options,
    rateLimiter: limiter,
    wakeMail: wake,
    count: tallies.count,
    noteMistake: mistakes.note,
    admin: {
      clock,
      sessions: adminSessions({ store: store.admin, admins, background, clock }),
      requestSignIn:
        options.queueSignIn ??
        ((email) => background.run('sign-in-not-mailed', () => sendSignIn(email), signInDelayMs())),
      mailTransport: mail === null ? null : mail.folder ? 'files' : 'smtp',
      sendTestMail: mail === null ? null : (to) => mail.transport.deliver(adminMail(mail).composer.test(to)),
      campaignMail: mail && {
        compose: (message) => composer(mail)(message),
        deliver: (email) => mail.transport.deliver(email),
      },
      canInvite: mail !== null && Boolean(options.invites),
      mailCopies: mail?.folder ? mailFolder(mail.folder) : null,
      webhooks: { allowLocal, sendTest },
      health: async () => ({
        version,
        retention_days: retentionDays,
        limits_hit: Object.fromEntries(limitsHit),
        siteUrl: new URL(publicUrl ?? siteUrl),
        hasPublicUrl: publicUrl !== null,
        mistakes: mistakes.recent(),
        jobsAreLate: running.length === 0 && mail !== null && (await late.areLate()),
      }),
    },
  });
  return {
    fetch,
    handles,
    deliverSignIn: sendSignIn,
    start(url = ANY_URL) {
      if (running.length > 0) return;
      siteUrl = url;
      late.noteRun();
      running = jobs().map((job) => job.start());
    },
    async stop(withinMs = 0) {
      late.stop();
      await Promise.all([...running.map((job) => job.stop(withinMs)), background.settled(withinMs), tallies.flush()]);
      running = [];
    },
    async runJobs({ withinMs = 60_000 } = {}) {
      const mayBegin = openFor(withinMs, clock);
      late.noteRun();
      for (const job of jobs()) if (mayBegin()) await job.runOnce(mayBegin);
    },
  };
}
