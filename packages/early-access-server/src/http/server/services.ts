import { randomUUID } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import { parseAdmins } from '../../app/access/admin-check.ts';
import { mountMistakes } from '../../app/access/host-mistakes.ts';
import { countingLimiter } from '../../app/access/limits-hit.ts';
import { isLoopback } from '../../app/access/loopback.ts';
import { memoryRateLimiter } from '../../app/access/memory-rate-limiter.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../app/access/rate-limits.ts';
import { adminSessions } from '../../app/admin/admin-sessions.ts';
import type { MailTransportKind } from '../../app/admin/health.ts';
import { SIGN_IN_MINUTES } from '../../app/admin/sign-in.ts';
import { deliverSignIn, randomSignInDelay } from '../../app/admin/sign-in-mail.ts';
import { tallyCounter } from '../../app/analytics/tally-counter.ts';
import { DEFAULT_BRAND } from '../../app/brand/brand.ts';
import { background } from '../../app/jobs/background.ts';
import type { Job, RunningJob } from '../../app/jobs/jobs.ts';
import { lateJobs } from '../../app/jobs/late-jobs.ts';
import { DEFAULT_RETENTION_DAYS } from '../../app/jobs/retention.ts';
import type { DeliveryOptions } from '../../app/mail/deliver-message.ts';
import { describeError, silentLog } from '../../app/ports/log.ts';
import type { ComposableMessage } from '../../app/ports/mail-composer.ts';
import type { Email } from '../../app/ports/mail-transport.ts';
import type { Webhook } from '../../app/ports/webhook-store.ts';
import type { PostResult, WebhookTransport } from '../../app/ports/webhook-transport.ts';
import { signupRefusals } from '../../app/signup/signup-refusals.ts';
import { webhookRequest } from '../../app/webhooks/webhook-request.ts';
import { adminComposer } from '../../mail/compose/admin-composer.ts';
import { messageComposer } from '../../mail/compose/message-composer.ts';
import { mailFolder } from '../../mail/transports/mail-folder.ts';
import { httpDelivery } from '../../webhooks/http-delivery.ts';
import type { EarlyAccessOptions, MailOptions } from './options.ts';

/** The site's address until it is known. */
const ANY_URL = 'http://localhost';

/** The part of the services that changes while the application runs. */
interface Runtime {
  /** The server's address: of `start`, or of the first request on a local run. Links lead here if no option says otherwise. */
  serverUrl: string;
  /** Null until the jobs are needed. Some of them know what to try again, so they are made once. */
  jobs: readonly Job[] | null;
  running: readonly RunningJob[];
}

/** Everything that requests and jobs share. Made once for each application; only `runtime` changes. */
export type Services = ReturnType<typeof createServices>;

/** Throws a `ConfigError` if the brand, the sender or a template cannot be used. */
export function createServices(options: EarlyAccessOptions) {
  const { store, mail = null, clock = Date.now, log = silentLog, retentionDays = DEFAULT_RETENTION_DAYS } = options;
  const limitsHit = new Map<keyof RateLimits, number>();
  const limiter = options.rateLimiter ?? memoryRateLimiter({ ...DEFAULT_RATE_LIMITS, ...options.rateLimits }, clock);
  const mistakes = mountMistakes({ log, clock });
  const runtime: Runtime = { serverUrl: ANY_URL, jobs: null, running: [] };
  const services = {
    options,
    store,
    mail,
    clock,
    log,
    admins: parseAdmins(options.adminEmail ?? null),
    /** Null: the database deletes old sessions itself. */
    retentionDays,
    background: background(log),
    limiter: countingLimiter(limiter, limitsHit),
    limitsHit,
    tallies: tallyCounter(store.analytics, log),
    mistakes,
    refusals: signupRefusals({ log, clock }),
    late: lateJobs({
      mails: store.mails,
      clock,
      onLate: () => mistakes.note('jobs-not-running'),
      onError: (error) => log('error', 'jobs-not-checked', { reason: describeError(error) }),
    }),
    runtime,
  };
  // Unusable templates throw now, not with the first email.
  if (mail !== null) {
    deliveryOptions(services, mail);
    adminMail(services, mail);
  }
  return services;
}

/** How messages of the queue are composed and sent. */
export function deliveryOptions(services: Services, mail: MailOptions): DeliveryOptions {
  const { store, clock, log, runtime } = services;
  let { serverUrl } = runtime;
  let compose = composer(services, mail);
  return {
    queue: store.mails,
    transport: mail.transport,
    compose(message) {
      if (serverUrl !== runtime.serverUrl) compose = composer(services, mail);
      ({ serverUrl } = runtime);
      return compose(message);
    },
    log,
    clock,
  };
}

/**
 * Links on a local run lead to where it is used: a host inside a framework does not know its port. Only a name of this machine counts,
 * because anyone can send any other.
 */
export function learnServerUrl({ runtime }: Services, requestUrl: string): void {
  if (runtime.serverUrl !== ANY_URL) return;
  const { hostname, origin } = new URL(requestUrl);
  if (isLoopback(hostname)) runtime.serverUrl = origin;
}

/** A transport for each worker, because a worker closes its own when it stops. */
export function webhookTransport({ options: { webhooks = {} } }: Services): WebhookTransport {
  return webhooks.transport ?? httpDelivery({ allowLocal: webhooks.allowLocal ?? false });
}

/** Makes all running jobs look for work. */
export function wakeJobs({ mail, late, runtime }: Services): void {
  if (runtime.running.length === 0 && mail !== null) late.expectRun();
  for (const job of runtime.running) job.wake();
}

/** Sends a sign-in link if the address is an admin's. */
export function sendSignIn(services: Services, email: string): Promise<void> {
  const { store, admins, limiter, clock, log, mail, options } = services;
  const dashboardUrl = new URL('/admin', siteUrl(services));
  return deliverSignIn(email, {
    store: store.admin,
    admins,
    limiter,
    clock,
    log,
    sendLink:
      mail && ((to, link) => mail.transport.deliver(adminMail(services, mail).signIn(to, link, SIGN_IN_MINUTES))),
    dashboardUrl: dashboardUrl.href,
    onSignInLink: isLoopback(dashboardUrl.hostname) ? (options.onSignInLink ?? null) : null,
  });
}

/** The services that the admin's routes need besides the store. */
export type AdminService = ReturnType<typeof adminService>;

export function adminService(services: Services) {
  const { options, store, mail, admins, background, clock } = services;
  const { queueSignIn, signInDelayMs = randomSignInDelay } = options;
  const mailTransport: MailTransportKind = mail === null ? null : mail.folder ? 'files' : 'smtp';
  return {
    clock,
    sessions: adminSessions({ store: store.admin, admins, background, clock }),
    /** Takes the same time for every address: sends a link later if the normalised address is an admin's. */
    requestSignIn:
      queueSignIn ??
      ((email) => background.run('sign-in-not-mailed', () => sendSignIn(services, email), signInDelayMs())),
    mailTransport,
    /** Sends the test email and waits for the mail server. Null: no emails are sent. */
    sendTestMail: mail && ((to: string) => mail.transport.deliver(adminMail(services, mail).test(to))),
    /** Composes and delivers a campaign to the admin. Null: no emails are sent. */
    campaignMail: mail && {
      compose: (message: ComposableMessage) => composer(services, mail)(message),
      deliver: (email: Email) => mail.transport.deliver(email),
    },
    /** Whether invitations can be sent: the product's page is set, and a mail server. */
    canInvite: mail !== null && Boolean(options.invites),
    /** Whether people get share links. */
    shares: Boolean(options.share),
    mailCopies: mail?.folder ? mailFolder(mail.folder) : null,
    webhooks: {
      allowLocal: options.webhooks?.allowLocal ?? false,
      /** Sends a test event and waits for the response. */
      sendTest: (webhook: Webhook) => sendTestEvent(services, webhook),
    },
    health: () => applicationFacts(services),
  };
}

/** The facts that the application knows about itself. */
async function applicationFacts(services: Services) {
  const { options, mail, retentionDays, limitsHit, mistakes, refusals, late, runtime } = services;
  return {
    version: packageJson.version,
    retention_days: retentionDays,
    limits_hit: Object.fromEntries(limitsHit),
    signups_refused: refusals.counts(),
    siteUrl: new URL(siteUrl(services)),
    hasPublicUrl: Boolean(options.publicUrl),
    mistakes: mistakes.recent(),
    jobsAreLate: runtime.running.length === 0 && mail !== null && (await late.areLate()),
  };
}

function sendTestEvent(services: Services, webhook: Webhook): Promise<PostResult> {
  const now = services.clock();
  const event = { id: randomUUID(), type: 'test', at: now, person: 'test' } as const;
  return webhookTransport(services).post(webhookRequest(webhook, event, null, now));
}

function siteUrl({ options, runtime }: Services): string {
  return options.publicUrl?.href ?? runtime.serverUrl;
}

function composerOptions(services: Services, { from, templates }: MailOptions) {
  const brand = services.options.brand ?? DEFAULT_BRAND;
  return { from, templates, brand: { ...brand, url: brand.url ?? siteUrl(services) } };
}

function composer(services: Services, mail: MailOptions) {
  return messageComposer({
    ...composerOptions(services, mail),
    language: mail.language,
    replyTo: mail.replyTo,
    postalAddress: mail.postalAddress,
    siteUrl: siteUrl(services),
    statusPage: services.options.statusPage,
    invites: Boolean(services.options.invites),
    onLink: isLoopback(new URL(siteUrl(services)).hostname) ? services.options.onMailLink : null,
  });
}

function adminMail(services: Services, mail: MailOptions) {
  return adminComposer(composerOptions(services, mail));
}
