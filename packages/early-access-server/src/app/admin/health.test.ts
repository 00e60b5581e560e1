import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { type HealthInput, healthIssues } from './health.ts';

const NOW = Date.UTC(2026, 5, 1);
const GOOD: HealthInput = {
  siteUrl: new URL('https://acme.example/'),
  hasPublicUrl: true,
  mistakes: [],
  refusals: {},
  jobsAreLate: false,
  mail: {
    transport: 'smtp',
    quota: { per_hour: 200, spent_until: null },
    pause: null,
    trouble: null,
    complaints: { since: Date.UTC(2026, 4, 25), emails: 5_000, complaints: 5 },
    nextAttemptAt: null,
    counts: new Map(),
    campaignCounts: new Map(),
  },
  webhooks: [{ name: 'CRM', failing_since: null, disabled_at: null }],
  facts: {
    store: 'sqlite',
    database_bytes: 1e9,
    disk_free_bytes: 50e9,
    last_backup_at: NOW - DAY_MS,
    retention_days: null,
  },
  failure: null,
  countingFailure: null,
  now: NOW,
};
const listIssues = (input: Partial<HealthInput>) => healthIssues({ ...GOOD, ...input });
const listTexts = (input: Partial<HealthInput>) =>
  listIssues(input).map(({ severity, message }) => `${severity}: ${message}`);
const withFacts = (facts: Partial<HealthInput['facts']>) => listTexts({ facts: { ...GOOD.facts, ...facts } });
const withMail = (mail: Partial<HealthInput['mail']>) => listTexts({ mail: { ...GOOD.mail, ...mail } });

it('finds nothing if all is well, and nothing about what the store does not know', () => {
  expect(listIssues({})).toEqual([]);
  expect(withFacts({ store: 'postgres', database_bytes: null, disk_free_bytes: null, last_backup_at: null })).toEqual(
    [],
  );
});

describe('the disk', () => {
  const full = (megabytes: number) =>
    `error: ${megabytes} MB are free on the disk of the database. Free up disk space, or signups will start to fail.`;
  const small = (megabytes: number) =>
    `warning: ${megabytes} MB are free on the disk of the database, too little for a backup. Free up disk space.`;

  it.each([
    [199_999_999, 1e3, [full(200)]],
    [200_000_000, 1e3, []],
    [123_456_789, 1e9, [full(123)]],
    [999_999_999, 1e9, [small(1_000)]],
    [1_000_000_000, 1e9, []],
    [300_000_000, null, []],
  ])('with %i bytes free and a database of %s', (disk_free_bytes, database_bytes, issues) => {
    expect(withFacts({ disk_free_bytes, database_bytes })).toEqual(issues);
  });
});

it('warns of complaints, and says that they pause campaigns', () => {
  const since = Date.UTC(2026, 4, 25);
  expect(withMail({ complaints: { since, emails: 5_000, complaints: 6 } })).toEqual([
    'warning: 6 complaints about the 5000 emails since 25 May 2026, 00:00 UTC: more than the 0.1% that Gmail asks for. Above 0.3% campaigns pause. Send to people who still expect your emails.',
  ]);
  expect(withMail({ complaints: { since, emails: 400, complaints: 4 } })).toEqual([
    'error: 4 complaints about the 400 emails since 25 May 2026, 00:00 UTC: more than 0.3%, Gmail’s limit, so campaigns are paused. Find out why people report them as spam before you resume them under Campaigns.',
  ]);
});

it('names webhooks that fail, and those that were disabled for it, but not those that an admin turned off', () => {
  const [failing_since, disabled_at] = [Date.UTC(2026, 0, 2), NOW];
  const webhooks = [
    { name: 'CRM', failing_since, disabled_at: null },
    { name: 'Chat', failing_since, disabled_at },
    { name: 'Off', failing_since: null, disabled_at },
  ];
  expect(listTexts({ webhooks })).toEqual([
    'error: The webhook “Chat” is disabled, because every delivery failed for a day from 2 Jan 2026, 00:00 UTC. Once its receiver works, turn it on under Webhooks.',
    'warning: Every delivery to the webhook “CRM” has failed since 2 Jan 2026, 00:00 UTC. See Webhooks for the reason.',
  ]);
});

it('says since when and why visits are not counted', () => {
  expect(listIssues({ countingFailure: { since: NOW, reason: 'Firestore failed: Error 8' } })).toHaveLength(1);
  expect(listTexts({ countingFailure: { since: Date.UTC(2026, 0, 2), reason: 'Firestore failed: Error 8' } })).toEqual([
    'error: Sessions have not been counted since 2 Jan 2026, 00:00 UTC: Firestore failed: Error 8. See the log of the function that counts them.',
  ]);
});

it('counts the days since the last backup from the eighth on', () => {
  const how =
    'Run this every day, for example by a cron job: npx early-access-server backup <file>; if npm start runs the server: npm start -- backup <file>';
  expect(withFacts({ last_backup_at: null })).toEqual([`warning: There is no backup. ${how}`]);
  expect(withFacts({ last_backup_at: NOW - 7 * DAY_MS })).toEqual([]);
  expect(withFacts({ last_backup_at: NOW - 9 * DAY_MS + 1 })).toEqual([
    `warning: The last backup is 8 days old. ${how}`,
  ]);
});

it('names what the mail needs', () => {
  expect(withMail({ transport: null })).toEqual(['error: No emails are sent: the application has no mail server.']);
  expect(withMail({ transport: 'files' })).toEqual([expect.stringContaining('warning: SMTP_URL is not set')]);
  const counts = new Map([
    ['failed', 1],
    ['unknown', 2],
  ] as const);
  expect(withMail({ counts, quota: { per_hour: 5, spent_until: NOW + 1 } })).toEqual([
    'warning: 1 email failed. See Mail for the reasons, and resend them under People.',
    'warning: It is unknown whether 2 emails arrived. Resend them under People if duplicates are acceptable.',
    'warning: The mail quota of 5 per hour is used up, so emails wait. Raise MAILS_PER_HOUR if your mail server allows it.',
  ]);
});

it('offers to send emails again only if that is possible, which it is not for campaigns', () => {
  const campaignCounts = new Map([
    ['failed', 2],
    ['unknown', 3],
  ] as const);
  const counts = new Map([...campaignCounts, ['queued', 9]] as const);
  expect(withMail({ counts, campaignCounts })).toEqual([
    expect.stringMatching(/^warning: 2 emails of campaigns failed\. A campaign is never sent twice to a person\./),
    expect.stringMatching(
      /^warning: It is unknown whether 3 emails of campaigns arrived\. .*write to these people yourself/,
    ),
  ]);
});

it('says since when the mail server cannot be reached, how many emails wait, and when the next attempt is', () => {
  const trouble = {
    kind: 'unreachable',
    since: NOW - 60_000,
    until: NOW,
    reason: 'ESOCKET ECONNREFUSED (CONN)',
  } as const;
  expect(withMail({ trouble, counts: new Map([['queued', 7]]), nextAttemptAt: NOW + 30_000 })).toEqual([
    'error: The mail server has been unreachable since 31 May 2026, 23:59 UTC: ESOCKET ECONNREFUSED (CONN). The mail server refuses connections. Check the server and the port in SMTP_URL. Waiting: 7 emails. The next attempt is at 1 Jun 2026, 00:00 UTC.',
  ]);
});

it('says that a recipient was refused, perhaps for a reason that is ours', () => {
  const trouble = { kind: 'recipient-refused', since: NOW, reason: '554 Relay access denied (RCPT TO)' } as const;
  expect(withMail({ trouble })).toEqual([
    expect.stringMatching(
      /^warning: .* It said: “554 Relay access denied \(RCPT TO\)”\. .*If it also refuses the next one/,
    ),
  ]);
});

describe('the address of the site', () => {
  it.each(['localhost', '127.0.0.1', '[::1]'])('may be plain http on %s, where links lead unless it is set', (host) => {
    const siteUrl = new URL(`http://${host}:4173/`);
    expect(listTexts({ siteUrl })).toEqual([]);
    expect(listTexts({ siteUrl, hasPublicUrl: false })).toEqual([expect.stringContaining('lead to localhost.')]);
  });

  it('has to be https elsewhere', () => {
    const siteUrl = new URL('http://acme.example:8080/');
    expect(listTexts({ siteUrl })).toEqual([expect.stringContaining('warning: PUBLIC_URL is not https')]);
    expect(listTexts({ siteUrl, hasPublicUrl: false })).toEqual([
      expect.stringContaining('lead to acme.example:8080.'),
    ]);
  });
});

it('says once that no job runs, and only while that is so', () => {
  const late = 'error: Emails have been due for more than 10 minutes';
  expect(listTexts({ mistakes: ['jobs-not-running'] })).toEqual([]);
  expect(listTexts({ mistakes: ['jobs-not-running'], jobsAreLate: true })).toEqual([expect.stringContaining(late)]);
});

it('puts errors first and leaves the order otherwise', () => {
  const issues = listIssues({
    facts: { ...GOOD.facts, last_backup_at: null },
    failure: 'disk I/O error',
    mistakes: ['client-unknown', 'path-prefixed'],
    jobsAreLate: true,
  });
  expect(issues.map(({ severity }) => severity)).toEqual(['error', 'error', 'warning', 'warning', 'warning']);
  expect(issues.map(({ message }) => message.slice(0, 24))).toEqual([
    'The database does not ac',
    'Emails have been due for',
    'There is no backup. Run ',
    'The host does not say wh',
    'Signups arrive below a p',
  ]);
});
