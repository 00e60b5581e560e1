import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { jobContext } from '../../fixtures/job-context.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { createEarlyAccess } from '../../http/application/early-access.ts';
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
