import { DAY_MS } from 'early-access-kit/internal';
import { MOUNT_ADVICE, type MountMistake } from '../access/host-mistakes.ts';
import { type ComplaintCounts, judgeComplaints } from '../mail/complaints.ts';
import type { MailPause, MailTrouble } from '../mail/mail-pause.ts';
import type { MailState } from '../mail/message-state.ts';
import type { CountingFailure } from '../ports/analytics-store.ts';
import type { StoreFacts } from '../ports/store.ts';
import type { Webhook } from '../ports/webhook-store.ts';
import { PAGE_MISTAKES, REFUSAL_ADVICE, type SignupRefusal } from '../signup/signup-refusals.ts';
import { formatUtc } from '../text/dates.ts';
import { adviseAboutPause } from './explain-delivery.ts';

const BACKUP_DAYS = 7;
const SMALLEST_FREE_BYTES = 200_000_000;

/** A problem and its remedy, such as "PUBLIC_URL is not set: links in emails lead to localhost." */
export interface HealthIssue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Null: no emails are sent. */
export type MailTransportKind = 'smtp' | 'files' | null;

export interface HealthInput {
  /** Base URL of the links in emails. */
  readonly siteUrl: URL;
  readonly hasPublicUrl: boolean;
  readonly mistakes: readonly MountMistake[];
  readonly refusals: Readonly<Partial<Record<SignupRefusal, number>>>;
  readonly jobsAreLate: boolean;
  readonly mail: {
    readonly transport: MailTransportKind;
    readonly counts: ReadonlyMap<MailState, number>;
    /** The messages of campaigns, which are part of the counts above. */
    readonly campaignCounts: ReadonlyMap<MailState, number>;
    readonly quota: { readonly per_hour: number; readonly spent_until: number | null };
    readonly pause: MailPause | null;
    readonly trouble: MailTrouble | null;
    readonly complaints: ComplaintCounts;
    /** When the next message will be attempted; null if the queue is empty. */
    readonly nextAttemptAt: number | null;
  };
  readonly webhooks: readonly Pick<Webhook, 'name' | 'failing_since' | 'disabled_at'>[];
  readonly facts: StoreFacts;
  /** Why the database is unavailable or rejects writes; null if it works. */
  readonly failure: string | null;
  /** Why counting sessions in the background fails; null if it works. */
  readonly countingFailure: CountingFailure | null;
  readonly now: number;
}

/** Problems that the admin should fix, worst first, each with its remedy. */
export function healthIssues(input: HealthInput): readonly HealthIssue[] {
  const issues = [
    ...databaseIssues(input),
    ...mountIssues(input),
    ...refusalIssues(input),
    ...urlIssues(input),
    ...mailIssues(input),
    ...webhookIssues(input),
  ];
  return issues.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}

function databaseIssues({ facts, failure, countingFailure, now }: HealthInput): HealthIssue[] {
  const issues: HealthIssue[] = [];
  if (failure !== null) issues.push(error(`The database does not accept signups: ${failure}.`));
  if (countingFailure !== null) {
    const since = formatUtc(countingFailure.since);
    issues.push(
      error(
        `Sessions have not been counted since ${since}: ${countingFailure.reason}. See the log of the function that counts them.`,
      ),
    );
  }
  const { database_bytes, disk_free_bytes, last_backup_at, store } = facts;
  if (disk_free_bytes !== null) {
    const needed = Math.max(SMALLEST_FREE_BYTES, database_bytes ?? 0);
    const free = `${Math.round(disk_free_bytes / 1e6)} MB are free on the disk of the database`;
    if (disk_free_bytes < SMALLEST_FREE_BYTES)
      issues.push(error(`${free}. Free up disk space, or signups will start to fail.`));
    else if (disk_free_bytes < needed) issues.push(warning(`${free}, too little for a backup. Free up disk space.`));
  }
  if (store !== 'sqlite') return issues;
  const how =
    'Run this every day, for example by a cron job: npx early-access-server backup <file>; if npm start runs the server: npm start -- backup <file>';
  if (last_backup_at === null) issues.push(warning(`There is no backup. ${how}`));
  else if (now - last_backup_at > BACKUP_DAYS * DAY_MS) {
    issues.push(warning(`The last backup is ${Math.floor((now - last_backup_at) / DAY_MS)} days old. ${how}`));
  }
  return issues;
}

function mountIssues({ mistakes, jobsAreLate }: HealthInput): HealthIssue[] {
  // This process can tell whether its jobs run, so an earlier warning is outdated.
  const others = mistakes.filter((mistake) => mistake !== 'jobs-not-running');
  return [
    ...(jobsAreLate ? [error(MOUNT_ADVICE['jobs-not-running'])] : []),
    ...others.map((mistake) => warning(MOUNT_ADVICE[mistake])),
  ];
}

function refusalIssues({ refusals }: HealthInput): HealthIssue[] {
  // Refusing addresses is the admin's own setting, so these are only counted.
  return PAGE_MISTAKES.flatMap((reason) => {
    const refused = refusals[reason] ?? 0;
    if (refused === 0) return [];
    return [warning(`Refused since the start: ${count(refused, 'signup')}. ${REFUSAL_ADVICE[reason]}`)];
  });
}

function urlIssues({ siteUrl, hasPublicUrl }: HealthInput): HealthIssue[] {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(siteUrl.hostname);
  if (!hasPublicUrl) {
    const where = isLocal ? 'localhost' : siteUrl.host;
    return [warning(`PUBLIC_URL is not set: links in emails lead to ${where}. Set it to the address of the site.`)];
  }
  if (siteUrl.protocol === 'https:' || isLocal) return [];
  return [
    warning('PUBLIC_URL is not https: your session and the addresses of visitors can be read in transit. Use TLS.'),
  ];
}

function mailIssues({ mail }: HealthInput): HealthIssue[] {
  const { transport, counts, campaignCounts, quota, pause } = mail;
  const [failedOfCampaigns, unknownOfCampaigns] = [
    campaignCounts.get('failed') ?? 0,
    campaignCounts.get('unknown') ?? 0,
  ];
  const failed = (counts.get('failed') ?? 0) - failedOfCampaigns;
  const unknown = (counts.get('unknown') ?? 0) - unknownOfCampaigns;
  return [
    transport === null && error('No emails are sent: the application has no mail server.'),
    transport === 'files' &&
      warning('SMTP_URL is not set: emails are written to files and reach no one. Set it to your mail server.'),
    pause !== null &&
      error(
        `The mail server refuses your emails, so the mail queue is paused. It said: “${pause.reason}”. ${adviseAboutPause(pause.reason)} One email is retried periodically, and the others follow once it is accepted.`,
      ),
    troubleIssue(mail),
    complaintIssue(mail),
    failed > 0 && warning(`${count(failed, 'email')} failed. See Mail for the reasons, and resend them under People.`),
    unknown > 0 &&
      warning(
        `It is unknown whether ${count(unknown, 'email')} arrived. Resend them under People if duplicates are acceptable.`,
      ),
    failedOfCampaigns > 0 && warning(`${count(failedOfCampaigns, 'email')} of campaigns failed. ${WRITE_YOURSELF}`),
    unknownOfCampaigns > 0 &&
      warning(`It is unknown whether ${count(unknownOfCampaigns, 'email')} of campaigns arrived. ${WRITE_YOURSELF}`),
    quota.spent_until !== null &&
      warning(
        `The mail quota of ${quota.per_hour} per hour is used up, so emails wait. Raise MAILS_PER_HOUR if your mail server allows it.`,
      ),
  ].filter((issue) => issue !== false);
}

/** Endpoints that an admin turned off are not an issue. */
function webhookIssues({ webhooks }: HealthInput): HealthIssue[] {
  return webhooks.flatMap(({ name, failing_since, disabled_at }) => {
    if (failing_since === null) return [];
    const since = formatUtc(failing_since);
    if (disabled_at === null) {
      return [
        warning(`Every delivery to the webhook “${name}” has failed since ${since}. See Webhooks for the reason.`),
      ];
    }
    return [
      error(
        `The webhook “${name}” is disabled, because every delivery failed for a day from ${since}. Once its receiver works, turn it on under Webhooks.`,
      ),
    ];
  });
}

const WRITE_YOURSELF =
  'A campaign is never sent twice to a person. Mail lists them as Campaign: write to these people yourself if it matters.';

function troubleIssue({ trouble, counts, nextAttemptAt }: HealthInput['mail']): HealthIssue | false {
  if (trouble === null) return false;
  const { since, reason } = trouble;
  const advice = adviseAboutPause(reason);
  if (trouble.kind === 'recipient-refused') {
    return warning(
      `The mail server refused the last recipient, perhaps because of your setup. It said: “${reason}”. ${advice} If it also refuses the next one, the mail queue pauses.`,
    );
  }
  const waiting = counts.get('queued') ?? 0;
  const next = nextAttemptAt === null ? '' : ` The next attempt is at ${formatUtc(nextAttemptAt)}.`;
  return error(
    `The mail server has been unreachable since ${formatUtc(since)}: ${reason}. ${advice} Waiting: ${count(waiting, 'email')}.${next}`,
  );
}

/** Too many complaints pause the running campaigns, so the text explains how to resume them. */
function complaintIssue({ complaints: { emails, complaints, since } }: HealthInput['mail']): HealthIssue | false {
  const level = judgeComplaints({ emails, complaints });
  const what = `${count(complaints, 'complaint')} about the ${count(emails, 'email')} since ${formatUtc(since)}`;
  if (level === 'fine') return false;
  if (level === 'high') {
    return warning(
      `${what}: more than the 0.1% that Gmail asks for. Above 0.3% campaigns pause. Send to people who still expect your emails.`,
    );
  }
  return error(
    `${what}: more than 0.3%, Gmail’s limit, so campaigns are paused. Find out why people report them as spam before you resume them under Campaigns.`,
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const error = (message: string): HealthIssue => ({ severity: 'error', message });
const warning = (message: string): HealthIssue => ({ severity: 'warning', message });
