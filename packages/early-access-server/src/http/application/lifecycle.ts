import { signupNoticesJob } from '../../app/admin/signup-notices.ts';
import { weeklyJob } from '../../app/admin/weekly.ts';
import { campaignJob } from '../../app/campaigns/campaign-job.ts';
import { createTimeLimit, type Job, type RepeatedJob, runEach } from '../../app/jobs/jobs.ts';
import { retentionJob } from '../../app/jobs/retention.ts';
import { mailService } from '../../app/mail/mail-service.ts';
import { startMailWorker } from '../../app/mail/mail-worker.ts';
import { bulkJob } from '../../app/people/bulk-job.ts';
import { openingJob } from '../../app/people/opening-job.ts';
import { pendingJob } from '../../app/people/pending-job.ts';
import { startWebhookWorker, webhookDeliveries } from '../../app/webhooks/webhook-worker.ts';
import type { MailOptions } from './options.ts';
import { bulkContext, deliveryOptions, listNotified, type Services, wakeJobs, webhookTransport } from './services.ts';

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

/**
 * Runs one round of each job, even if one fails. Starts nothing new after `withinMs`. Rejects with the first failure.
 */
export async function runJobsOnce(services: Services, withinMs: number): Promise<void> {
  const mayBegin = createTimeLimit(withinMs, services.clock);
  services.late.noteRun();
  await runEach(getJobs(services).map((job) => async () => mayBegin() && job.runOnce(mayBegin)));
}

/** Created on first use, because a program whose port is taken does not need them. */
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

/**
 * All background jobs, in the order of `runJobs`: jobs that queue emails come before the one that sends them. The
 * weekly email is an exception: it reads the most data and is the least urgent, so it comes last and is sent in the
 * next round.
 */
function createJobs(services: Services): readonly Job[] {
  const { store, mail, team, retentionDays, log, clock } = services;
  const context = {
    ...{ store, log, clock },
    team: () => team.addresses(),
    admins: () => listNotified(services),
    wakeMail: () => wakeJobs(services),
  };
  return [
    pendingJob(context),
    prompted(services, 'opening', openingJob(context)),
    ...(mail === null ? [] : [signupNoticesJob(context), campaignJob(context), mailJob(services, mail)]),
    webhookJob(services),
    prompted(services, 'bulk', bulkJob({ ...bulkContext(services), log })),
    ...(retentionDays === 'by-database' ? [] : [retentionJob(context, retentionDays)]),
    ...(mail === null ? [] : [weeklyJob(context)]),
  ];
}

/** Registers the job so that requests can wake it. */
function prompted({ runtime }: Services, name: keyof Services['runtime']['look'], job: RepeatedJob): Job {
  runtime.look[name] = () => job.look();
  return job;
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
  const { store, mail, admins, log, clock, metrics } = services;
  const deliveries = () => ({
    ...{ store, transport: webhookTransport(services), log, clock },
    recipients: mail === null ? [] : admins,
    wakeMail: () => wakeJobs(services),
    onOutcome: metrics?.noteWebhook,
  });
  return {
    start: () => startWebhookWorker(deliveries()),
    runOnce: (mayBegin) => webhookDeliveries(deliveries()).runDue(mayBegin),
  };
}
