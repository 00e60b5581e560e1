import { signupNoticesJob } from '../app/admin/signup-notices.ts';
import { weeklyJob } from '../app/admin/weekly.ts';
import type { Job } from '../app/jobs.ts';
import { campaignJob } from '../app/list/campaign-job.ts';
import { pendingJob } from '../app/list/pending-job.ts';
import type { DeliveryOptions } from '../app/mail/deliver-message.ts';
import { mailService } from '../app/mail/mail-service.ts';
import { startMailWorker } from '../app/mail/mail-worker.ts';
import type { Clock, Log } from '../app/ports.ts';
import { retentionJob } from '../app/retention.ts';
import type { WebhookTransport } from '../app/webhooks/webhook-request.ts';
import type { Webhook } from '../app/webhooks/webhook-store.ts';
import { startWebhookWorker, webhookDeliveries } from '../app/webhooks/webhook-worker.ts';
import type { Store } from '../stores/store.ts';

export interface JobsOptions {
  readonly store: Store;
  /** How messages of the queue are sent. Null: no emails are sent. */
  readonly mail: DeliveryOptions | null;
  /** Normalised. */
  readonly admins: readonly string[];
  /** Called for each worker, because a worker closes its transport when it stops. */
  readonly webhookTransport: () => WebhookTransport;
  /** Null: the database deletes old sessions itself. */
  readonly retentionDays: number | null;
  /** Makes all running jobs look for work. */
  readonly wake: () => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** Everything that the application does besides requests. In the order of `runJobs`: what queues emails comes before what sends them. */
export function createJobs(options: JobsOptions): readonly Job[] {
  const { store, mail, wake, retentionDays, log, clock } = options;
  return [
    pendingJob({ list: store.list, wakeMail: wake, log }),
    ...(mail === null ? [] : mailJobs(options, mail)),
    webhookJob(options),
    ...(retentionDays === null ? [] : [retentionJob({ store, days: retentionDays, log, clock })]),
  ];
}

function mailJobs({ store, admins, wake, log, clock }: JobsOptions, delivery: DeliveryOptions): readonly Job[] {
  return [
    signupNoticesJob({ store, admins, wakeMail: wake, log, clock }),
    weeklyJob({ store, admins, wakeMail: wake, log, clock }),
    campaignJob({ campaigns: store.campaigns, wakeMail: wake, log }),
    {
      start: () => startMailWorker(delivery),
      async runOnce(mayBegin) {
        const service = mailService(delivery);
        do await service.runDue(mayBegin);
        while (mayBegin() && (await store.campaigns.feed()) > 0);
      },
    },
  ];
}

function webhookJob({ store, mail, admins, webhookTransport, wake, log, clock }: JobsOptions): Job {
  const deliveryOptions = () => ({
    store,
    transport: webhookTransport(),
    async onDisabled({ url }: Webhook, reason: string) {
      if (mail === null) return;
      await store.mails.notify(admins, { type: 'webhook-disabled', host: new URL(url).host, reason });
      wake();
    },
    log,
    clock,
  });
  return {
    start: () => startWebhookWorker(deliveryOptions()),
    runOnce: (mayBegin) => webhookDeliveries(deliveryOptions()).runDue(mayBegin),
  };
}
