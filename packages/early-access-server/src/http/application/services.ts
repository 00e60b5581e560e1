import { randomUUID } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import { parseAdmins } from '../../app/access/admin-check.ts';
import { mountMistakes } from '../../app/access/host-mistakes.ts';
import { countingLimiter } from '../../app/access/limits-hit.ts';
import { isLoopback } from '../../app/access/loopback.ts';
import { memoryRateLimiter } from '../../app/access/memory-rate-limiter.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../app/access/rate-limits.ts';
import { adminSessions } from '../../app/admin/admin-sessions.ts';
import { passkeyService } from '../../app/admin/passkeys.ts';
import { SIGN_IN_MINUTES } from '../../app/admin/sign-in.ts';
import { deliverSignIn, randomSignInDelay } from '../../app/admin/sign-in-mail.ts';
import { dashboardTeam } from '../../app/admin/team.ts';
import { tallyCounter } from '../../app/analytics/tally-counter.ts';
import { DEFAULT_BRAND } from '../../app/brand/brand.ts';
import { markFile } from '../../app/brand/brand-files.ts';
import { background } from '../../app/jobs/background.ts';
import { createTimeLimit, type Job, type RunningJob } from '../../app/jobs/jobs.ts';
import { lateJobs } from '../../app/jobs/late-jobs.ts';
import { DEFAULT_RETENTION_DAYS } from '../../app/jobs/retention.ts';
import type { DeliveryOptions } from '../../app/mail/deliver-message.ts';
import { type BulkContext, runBulk } from '../../app/people/bulk-job.ts';
import type { MailCopies } from '../../app/people/forget.ts';
import { admitWaiting } from '../../app/people/opening-job.ts';
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
import type { AdminService, ApplicationFacts } from '../admin/admin-service.ts';
import type { EarlyAccessOptions, MailOptions } from './options.ts';
import { serverMetrics } from './server-metrics.ts';

/** A placeholder until the site's URL is known. */
const ANY_URL = 'http://localhost';

/** The mutable part of the services. */
interface Runtime {
  /** The server's URL, from `start` or the first request on a local run. The default base of links. */
  serverUrl: string;
  /** Null until the jobs are first needed. Created once, because some of them remember what to retry. */
  jobs: readonly Job[] | null;
  running: readonly RunningJob[];
  /** Wake jobs immediately. */
  look: Record<PromptedJob, () => void>;
}

/** Jobs that should start with the admin's request: bulk actions, and opening the list. */
type PromptedJob = 'bulk' | 'opening';

/** Shared by requests and jobs. Created once per application; only `runtime` changes. */
export type Services = ReturnType<typeof createServices>;

/** Throws a `ConfigError` if the brand, the sender or a template is invalid. */
export function createServices(options: EarlyAccessOptions) {
  const { store, mail = null, clock = Date.now, log = silentLog, retentionDays = DEFAULT_RETENTION_DAYS } = options;
  const limitsHit = new Map<keyof RateLimits, number>();
  const limiter = options.rateLimiter ?? memoryRateLimiter({ ...DEFAULT_RATE_LIMITS, ...options.rateLimits }, clock);
  const mistakes = mountMistakes({ log, clock });
  const refusals = signupRefusals({ log, clock });
  const runtime: Runtime = { serverUrl: ANY_URL, jobs: null, running: [], look: { bulk() {}, opening() {} } };
  const admins = parseAdmins(options.adminEmail ?? null);
  const services = {
    options,
    store,
    mail,
    clock,
    log,
    admins,
    team: dashboardTeam(admins, store.team),
    retentionDays,
    background: background(log),
    limiter: countingLimiter(limiter, limitsHit),
    limitsHit,
    tallies: tallyCounter(store.analytics, log),
    mistakes,
    refusals,
    metrics: options.metrics ? serverMetrics({ store, clock, log, limitsHit, refusals }) : null,
    late: lateJobs({
      mails: store.mails,
      clock,
      onLate: () => mistakes.note('jobs-not-running'),
      onError: (error) => log('error', 'jobs-not-checked', { reason: describeError(error) }),
    }),
    runtime,
  };
  // Invalid templates throw here rather than when the first email is sent.
  if (mail !== null) {
    deliveryOptions(services, mail);
    adminMail(services, mail);
    if (options.brand && !options.brand.logo && markFile(options.brand)?.type === 'image/svg+xml') {
      log('warn', 'mark-not-in-emails', {
        fix: 'most mail programs show no SVG, so emails show the name alone: give BRAND_MARK a PNG, or set BRAND_LOGO',
      });
    }
  }
  return services;
}

export function deliveryOptions(services: Services, mail: MailOptions): DeliveryOptions {
  const { store, clock, log, runtime, metrics } = services;
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
    onOutcome: metrics?.noteMail,
  };
}

/**
 * On a local run, links use the URL of a request, because a host inside a framework does not know its port. Only
 * loopback host names are accepted, because clients can send any name.
 */
export function learnServerUrl({ runtime }: Services, requestUrl: string): void {
  if (runtime.serverUrl !== ANY_URL) return;
  const { hostname, origin } = new URL(requestUrl);
  if (isLoopback(hostname)) runtime.serverUrl = origin;
}

/** Each worker needs its own transport, which it closes when it stops. */
export function webhookTransport({ options: { webhooks = {} } }: Services): WebhookTransport {
  return webhooks.transport ?? httpDelivery({ allowLocal: webhooks.allowLocal ?? false });
}

/** The admins to notify. Empty if no emails are sent. */
export async function listNotified({ mail, team }: Services): Promise<readonly string[]> {
  return mail === null ? [] : team.addresses('admin');
}

export function wakeJobs({ mail, late, runtime }: Services): void {
  if (runtime.running.length === 0 && mail !== null) late.expectRun();
  for (const job of runtime.running) job.wake();
}

/** Sends a sign-in link if the address is an admin's. */
export function sendSignIn(services: Services, email: string): Promise<void> {
  const { store, team, limiter, clock, log, mail, options } = services;
  const dashboardUrl = new URL('/admin', siteUrl(services));
  return deliverSignIn(email, {
    store: store.admin,
    members: store.team,
    team,
    limiter,
    clock,
    log,
    sendLink:
      mail &&
      ((to, link, invitation) =>
        mail.transport.deliver(adminMail(services, mail).signIn(to, link, SIGN_IN_MINUTES, invitation))),
    dashboardUrl: dashboardUrl.href,
    onSignInLink: isLoopback(dashboardUrl.hostname) ? (options.onSignInLink ?? null) : null,
  });
}

export function adminService(services: Services): AdminService {
  const { options, store, mail, team, background, clock } = services;
  const { queueSignIn, signInDelayMs = randomSignInDelay } = options;
  return {
    clock,
    sessions: adminSessions({
      store: store.admin,
      passkeys: store.passkeys,
      members: store.team,
      team,
      background,
      clock,
    }),
    passkeys: passkeyService({
      store: store.passkeys,
      admin: store.admin,
      onAdded: mail && (() => wakeJobs(services)),
      publicUrl: options.publicUrl ?? null,
      name: (options.brand ?? DEFAULT_BRAND).name,
      clock,
    }),
    team,
    requestSignIn:
      queueSignIn ??
      ((email) => background.run('sign-in-not-mailed', () => sendSignIn(services, email), signInDelayMs())),
    mailTransport: mail === null ? null : mail.folder ? 'files' : 'smtp',
    sendTestMail: mail && ((to: string) => mail.transport.deliver(adminMail(services, mail).test(to))),
    campaignMail: mail && {
      compose: (message: ComposableMessage) => composer(services, mail)(message),
      deliver: (email: Email) => mail.transport.deliver(email),
    },
    canInvite: mail !== null && Boolean(options.invites),
    shares: Boolean(options.share),
    mailCopies: mailCopies(services),
    workOnBulk: () => beginWork(services, 'bulk', (mayBegin) => runBulk(bulkContext(services), mayBegin)),
    admitWaiting: () => beginWork(services, 'opening', (mayBegin) => admitWaiting(bulkContext(services), mayBegin)),
    webhooks: {
      allowLocal: options.webhooks?.allowLocal ?? false,
      sendTest: (webhook: Webhook) => sendTestEvent(services, webhook),
    },
    health: () => applicationFacts(services),
  };
}

export function bulkContext(services: Services): BulkContext {
  const { store, clock } = services;
  return { store, clock, copies: mailCopies(services), wakeMail: () => wakeJobs(services) };
}

function mailCopies({ mail }: Services): MailCopies | null {
  return mail?.folder ? mailFolder(mail.folder) : null;
}

/** How long a request may work on a job if no jobs are running. */
const REQUEST_MS = 10_000;

/** If no jobs are running, the request starts the work, and the next round of jobs continues it. */
async function beginWork(
  services: Services,
  job: PromptedJob,
  work: (mayBegin: () => boolean) => Promise<void>,
): Promise<void> {
  const { clock, log, runtime } = services;
  if (runtime.running.length > 0) return runtime.look[job]();
  try {
    await work(createTimeLimit(REQUEST_MS, clock));
  } catch (error) {
    log('error', `${job}-failed`, { reason: describeError(error) });
  }
}

async function applicationFacts(services: Services): Promise<ApplicationFacts> {
  const { options, mail, retentionDays, limitsHit, mistakes, refusals, late, runtime } = services;
  return {
    version: packageJson.version,
    retention_days: retentionDays === 'by-database' ? null : retentionDays,
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
  const site = siteUrl(services);
  return { from, templates, siteUrl: site, brand: { ...brand, url: brand.url ?? site } };
}

function composer(services: Services, mail: MailOptions) {
  return messageComposer({
    ...composerOptions(services, mail),
    language: mail.language,
    replyTo: mail.replyTo,
    postalAddress: mail.postalAddress,
    fields: services.options.fields,
    statusPage: services.options.statusPage,
    invites: Boolean(services.options.invites),
    onLink: isLoopback(new URL(siteUrl(services)).hostname) ? services.options.onMailLink : null,
  });
}

function adminMail(services: Services, mail: MailOptions) {
  return adminComposer(composerOptions(services, mail));
}
