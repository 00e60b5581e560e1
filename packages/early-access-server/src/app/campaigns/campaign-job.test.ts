import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { jobContext } from '../../fixtures/job-context.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { createEarlyAccess } from '../../http/application/early-access.ts';
import type { Campaign } from './campaign.ts';
import { campaignJob } from './campaign-job.ts';

const PEOPLE = 50;

/** An application with a campaign to many people that was started. */
async function withCampaign() {
  const { store } = tempStore({ mailsPerHour: 10_000 });
  const person = (index: number) => ({
    email: `p${index}@x${index}.io`,
    source: 'fair',
    created_at: 1,
    state: 'subscribed' as const,
  });
  await store.list.importPeople(
    Array.from({ length: PEOPLE }, (_, index) => person(index)),
    { welcome: false },
  );
  const sent: { readonly to: string; readonly subject: string; readonly text: string }[] = [];
  const transport = {
    async deliver(email: (typeof sent)[number]) {
      sent.push(email);
      return { outcome: 'sent' } as const;
    },
    async close() {},
  };
  const app = createEarlyAccess({
    store,
    mail: { transport, from: 'hello@example.com' },
    adminEmail: 'owner@acme.example',
  });
  onTestFinished(() => app.stop(1_000));
  const { id } = await store.campaigns.create({
    subject: 'We are live',
    body: 'Try [it](https://acme.example/start).',
    audience: { states: ['subscribed'], source: null },
  });
  await store.campaigns.change(id, 'sending');
  return { app, store, sent, campaign: () => store.campaigns.find(id) };
}

it('sends a campaign to everyone while the process runs', async () => {
  const { app, sent, campaign } = await withCampaign();
  app.start('http://localhost:4173/');
  await until(() => expect(sent).toHaveLength(PEOPLE));
  await vi.waitFor(async () => expect(await campaign()).toMatchObject({ state: 'done', sent: PEOPLE }));
  expect(new Set(sent.map(({ to }) => to)).size).toBe(PEOPLE);
});

it('pauses what starts while there are too many complaints, tells admins, and continues once one resumes it', async () => {
  const { app, store, sent, campaign } = await withCampaign();
  await store.team.invite({ email: 'ada@acme.example', role: 'admin', invited_by: 'owner@acme.example' });
  await store.team.invite({ email: 'bob@acme.example', role: 'editor', invited_by: 'owner@acme.example' });
  const complaints = vi.spyOn(store.mails, 'complaints');
  complaints.mockResolvedValue({ since: 1, emails: 900, complaints: 4 });
  await app.runJobs();
  expect(await campaign()).toMatchObject({ state: 'paused', stopped_at: expect.any(Number) });
  await app.runJobs();
  expect(sent.map(({ to }) => to).toSorted()).toEqual(['ada@acme.example', 'owner@acme.example']);
  expect(sent[0]?.text.replace(/\s+/g, ' ')).toContain(
    '4 of 900 emails from Early access were reported as spam (0.44%)',
  );
  sent.length = 0;
  complaints.mockRestore();
  await store.campaigns.change((await campaign())?.id ?? '', 'sending');
  await app.runJobs();
  expect(sent).toHaveLength(PEOPLE);
});

describe('complaints', () => {
  const mayBegin = () => true;
  const TOO_MANY = { since: 1, emails: 900, complaints: 4 };

  /** A job whose store starts and queues these numbers of campaigns and people, and pauses as many campaigns. */
  function jobOf({ started = 0, fed = 0, paused = 0 }) {
    const entries: unknown[] = [];
    let wakes = 0;
    const clock = { now: 1_000 };
    const context = jobContext({
      wakeMail: () => void wakes++,
      log: (...entry) => void entries.push(entry),
      clock: () => clock.now,
    });
    const { campaigns, mails } = context.store;
    const campaign = { people: 7, scheduled_at: 100, started_at: 130 };
    vi.spyOn(campaigns.schedule, 'startDue').mockImplementation(async () =>
      Array.from({ length: started }, () => campaign as Campaign),
    );
    vi.spyOn(campaigns, 'feed').mockImplementation(async () => fed);
    vi.spyOn(campaigns, 'stop').mockImplementation(async () => paused);
    const complaints = vi.spyOn(mails, 'complaints').mockImplementation(async () => TOO_MANY);
    const counts = () => complaints.mock.calls.length;
    return { job: campaignJob(context), entries, clock, counts, wakes: () => wakes };
  }

  it('are counted when a campaign starts, and each minute while people are queued', async () => {
    const { job, clock, counts } = jobOf({ fed: 1 });
    await job.runOnce(mayBegin);
    expect(counts()).toBe(1);
    clock.now += 59_999;
    await job.runOnce(mayBegin);
    expect(counts()).toBe(1);
    clock.now += 1;
    await job.runOnce(mayBegin);
    expect(counts()).toBe(2);
    const starting = jobOf({ started: 1 });
    await starting.job.runOnce(mayBegin);
    await starting.job.runOnce(mayBegin);
    expect(starting.counts()).toBe(2);
    expect(starting.entries).toContainEqual(['info', 'campaign-started', { people: 7, late_ms: 30 }]);
    const idle = jobOf({});
    await idle.job.runOnce(mayBegin);
    expect(idle.counts()).toBe(0);
  });

  it('are logged, and their notices are sent at once, only if they paused a campaign', async () => {
    const pausing = jobOf({ started: 1, paused: 2 });
    await pausing.job.runOnce(mayBegin);
    expect(pausing.entries.at(-1)).toEqual([
      'error',
      'campaigns-paused-for-complaints',
      { campaigns: 2, emails: 900, complaints: 4 },
    ]);
    expect(pausing.wakes()).toBe(1);
    const again = jobOf({ started: 1 });
    await again.job.runOnce(mayBegin);
    expect([again.entries.length, again.wakes()]).toEqual([1, 0]);
  });
});

it('logs a store that fails, and continues later', async () => {
  const events: string[] = [];
  const context = jobContext({ log: (_, event) => events.push(event) });
  vi.spyOn(context.store.campaigns, 'feed').mockRejectedValue(new Error('disk full'));
  const job = campaignJob(context).start();
  await until(() => expect(events).toEqual(['campaign-not-fed']));
  await job.stop(0);
});

describe('a round', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Starts a job whose store queues the next number of messages at each call, and none after the last. */
  function startJob(queued: readonly number[]) {
    const seen = { feeds: 0, wakes: 0 };
    const context = jobContext({ wakeMail: () => void seen.wakes++ });
    vi.spyOn(context.store.campaigns, 'feed').mockImplementation(async () => queued[seen.feeds++] ?? 0);
    vi.useFakeTimers();
    const job = campaignJob(context);
    return { job, seen };
  }

  it('looks again after two seconds if there was nothing to queue, and wakes nobody', async () => {
    const { job, seen } = startJob([]);
    const running = job.start();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(seen).toEqual({ feeds: 1, wakes: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.feeds).toBe(2);
    await running.stop(0);
  });

  it('looks five times a second while messages are queued, and for ten seconds after that', async () => {
    const { job, seen } = startJob([1, 0, 0, 1]);
    const running = job.start();
    await vi.advanceTimersByTimeAsync(600);
    expect(seen).toEqual({ feeds: 4, wakes: 2 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toEqual({ feeds: 54, wakes: 2 });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(seen.feeds).toBe(54);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.feeds).toBe(55);
    await running.stop(0);
  });
});
