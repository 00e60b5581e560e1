import { signupNoticesJob } from '../../app/admin/signup-notices.ts';
import { weeklyJob } from '../../app/admin/weekly.ts';
import { createTimeLimit, type Job } from '../../app/jobs/jobs.ts';
import { retentionJob } from '../../app/jobs/retention.ts';
import { campaignJob } from '../../app/list/campaign-job.ts';
import { pendingJob } from '../../app/list/pending-job.ts';
import { mailService } from '../../app/mail/mail-service.ts';
import { startMailWorker } from '../../app/mail/mail-worker.ts';
import type { Webhook } from '../../app/ports/webhook-store.ts';
import { startWebhookWorker, webhookDeliveries } from '../../app/webhooks/webhook-worker.ts';
import type { MailOptions } from './options.ts';
import { deliveryOptions, type Services, wakeJobs, webhookTransport } from './services.ts';

export function startJobs(services: Services, serverUrl = services.runtime.serverUrl): void {
  const { late, runtime } = services;
  if (runtime.running.length > 0) return;
  runtime.serverUrl = serverUrl;
  late.noteRun();
  runtime.running = getJobs(services).map((job) => job.start());
}

export async function stopJobs({ late, background, tallies, runtime }: Services, withinMs: number): Promise<void> {
  late.stop();
  await Promise.all([
    ...runtime.running.map((job) => job.stop(withinMs)),
    background.settled(withinMs),
    tallies.flush(),
  ]);
  runtime.running = [];
}

/** One round of each job. Begins nothing new after `withinMs`. */
export async function runJobsOnce(services: Services, withinMs: number): Promise<void> {
  const mayBegin = createTimeLimit(withinMs, services.clock);
  services.late.noteRun();
  for (const job of getJobs(services)) if (mayBegin()) await job.runOnce(mayBegin);
}

/** Made late: a program whose port is taken never needs them, and does not have to hear about its admins. */
function getJobs(services: Services): readonly Job[] {
  const { runtime, admins, options, log } = services;
  if (runtime.jobs === null && options.dashboard && admins.length === 0) {
    log('warn', 'admin-missing', {
      reason:
        'there is no admin, so no one can sign in to the dashboard or read the analytics summary; set ADMIN_EMAIL',
    });
  }
  runtime.jobs ??= createJobs(services);
  return runtime.jobs;
}

/** Everything that the application does besides requests. In the order of `runJobs`: what queues emails comes before what sends them. */
function createJobs(services: Services): readonly Job[] {
  const { store, mail, admins, retentionDays, log, clock } = services;
  const context = { store, admins, log, clock, wakeMail: () => wakeJobs(services) };
  return [
    pendingJob(context),
    ...(mail === null
      ? []
      : [signupNoticesJob(context), weeklyJob(context), campaignJob(context), mailJob(services, mail)]),
    webhookJob(services),
    ...(retentionDays === null ? [] : [retentionJob(context, retentionDays)]),
  ];
}

function mailJob(services: Services, mail: MailOptions): Job {
  const delivery = deliveryOptions(services, mail);
  return {
    start: () => startMailWorker(delivery),
    async runOnce(mayBegin) {
      const service = mailService(delivery);
      do await service.runDue(mayBegin);
      while (mayBegin() && (await services.store.campaigns.feed()) > 0);
    },
  };
}

function webhookJob(services: Services): Job {
  const { store, mail, admins, log, clock } = services;
  async function onDisabled({ url }: Webhook, reason: string): Promise<void> {
    if (mail === null) return;
    await store.mails.notify(admins, { type: 'webhook-disabled', host: new URL(url).host, reason });
    wakeJobs(services);
  }
  const deliveries = () => ({ store, transport: webhookTransport(services), onDisabled, log, clock });
  return {
    start: () => startWebhookWorker(deliveries()),
    runOnce: (mayBegin) => webhookDeliveries(deliveries()).runDue(mayBegin),
  };
}
