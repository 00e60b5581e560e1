import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { jobContext } from '../../fixtures/job-context.ts';
import { until } from '../../fixtures/mail-harness.ts';
import type { PeriodFigures } from '../analytics/analytics.ts';
import { lastWeek, weeklyJob } from './weekly.ts';

/** An application on a Wednesday, with one session and one signup in the week before. */
async function withLastWeek(options?: Parameters<typeof adminHarness>[0]) {
  const harness = adminHarness(options);
  const { clock, store } = harness;
  const wednesday = Date.UTC(2026, 2, 18, 12);
  clock.now = wednesday - 7 * DAY_MS;
  await store.startSession(sessionOf({ session_start: clock.now }));
  await store.createSignup(signupOf());
  clock.now = wednesday;
  const weekly = () => harness.emails.filter(({ subject }) => subject.includes('March'));
  /** The email is queued at the end of a round, and sent in the next one. */
  const runJobs = async () => {
    await harness.app.runJobs();
    await harness.app.runJobs();
  };
  return { ...harness, weekly, runJobs };
}

const NO_FIGURES: PeriodFigures = {
  visitors: 0,
  sessions: 0,
  signups: 0,
  bounces: 0,
  duration: 0,
  timed_sessions: 0,
  engaged_sessions: 0,
};
const ON = { time_zone: 'Europe/Berlin', weekly_email: true, signup_notices: 'off' } as const;

/** The figures, as an admin reads them. */
const lines = (email?: { readonly text: string }) => email?.text.match(/^[A-Z][a-z ]+: .*$/gm);

describe('the weekly email', () => {
  it('is off by default', async () => {
    const { runJobs, weekly } = await withLastWeek();
    await runJobs();
    expect(weekly()).toEqual([]);
  });

  it('is sent once a week to the admins who asked for it, with the figures of the week', async () => {
    const { app, runJobs, store, weekly, clock } = await withLastWeek({
      adminEmail: [ADMIN_EMAIL, 'ada@example.com'],
      publicUrl: new URL('https://acme.example'),
    });
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    await Promise.all([app.runJobs(), app.runJobs()]);
    await runJobs();
    expect(weekly()).toMatchObject([{ to: ADMIN_EMAIL, subject: 'Early access: 9 – 15 March 2026' }]);
    const text = weekly()[0]?.text ?? '';
    for (const line of ['Visitors: 1', 'Signups: 1', 'Conversion: 100%', 'https://acme.example/admin'])
      expect(text).toContain(line);
    expect(text).toContain('SIGNUPS PER DAY\n\nMon 0\nTue 0\nWed 1\nThu 0\nFri 0\nSat 0\nSun 0\n');
    clock.now += 7 * DAY_MS;
    await runJobs();
    expect(weekly().map(({ subject }) => subject)).toEqual([
      'Early access: 9 – 15 March 2026',
      'Early access: 16 – 22 March 2026',
    ]);
  });

  it('compares each figure with the week before, in the time zone of the admin or UTC', async () => {
    const { runJobs, store, weekly } = await withLastWeek();
    const before = { ...NO_FIGURES, visitors: 1_000, sessions: 2_000, signups: 40, bounces: 500, duration: 90_000 };
    const now = { ...before, visitors: 1_234, sessions: 1_500, duration: 60_300 };
    const figures = { ...now, timed_sessions: 1_000 };
    const previous = { ...before, timed_sessions: 1_000 };
    const read = vi.spyOn(store.analytics, 'read');
    const analytics = await store.analytics.read({ buckets: [0], end: 1, previousStart: null, filter: {} });
    read.mockResolvedValueOnce({ ...analytics, figures, previous });
    await store.admin.saveSettings(ADMIN_EMAIL, { ...ON, time_zone: null });
    await runJobs();
    expect(read).toHaveBeenLastCalledWith(
      expect.objectContaining({ end: Date.UTC(2026, 2, 16), previousStart: Date.UTC(2026, 2, 2), filter: {} }),
    );
    expect(lines(weekly()[0])).toEqual([
      'Visitors: 1,234 +23%',
      'Sessions: 1,500 −25%',
      'Signups: 40 ±0%',
      'Conversion: 3.2% −20%',
      'Bounced sessions: 33.3% +33%',
      'Time per session: 60 s −33%',
    ]);
  });

  it('has no share of nothing, and no change from nothing', async () => {
    const { runJobs, store, weekly } = await withLastWeek();
    vi.spyOn(store.analytics, 'read').mockResolvedValueOnce({
      ...(await store.analytics.read({ buckets: [0], end: 1, previousStart: null, filter: {} })),
      figures: { ...NO_FIGURES, signups: 3 },
      previous: NO_FIGURES,
    });
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    await runJobs();
    expect(lines(weekly()[0])).toEqual([
      'Visitors: 0',
      'Sessions: 0',
      'Signups: 3',
      'Conversion: –',
      'Bounced sessions: –',
      'Time per session: –',
    ]);
  });

  it('waits until the figures are complete', async () => {
    const { runJobs, store, weekly } = await withLastWeek();
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    const progress = vi.spyOn(store.analytics, 'progress').mockResolvedValue(0.99);
    await runJobs();
    expect(weekly()).toEqual([]);
    progress.mockRestore();
    await runJobs();
    expect(weekly()).toHaveLength(1);
  });

  it('reads the figures once a week, however often the jobs run', async () => {
    const { runJobs, store } = await withLastWeek();
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    const read = vi.spyOn(store.analytics, 'read');
    for (let round = 0; round < 3; round += 1) await runJobs();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('wakes the mail queue, and a failure is logged', async () => {
    const { store, clock } = await withLastWeek();
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    const [wakeMail, log] = [vi.fn(), vi.fn()];
    const job = weeklyJob(
      jobContext({ store, team: async () => [ADMIN_EMAIL], wakeMail, clock: () => clock.now, log }),
    );
    await job.runOnce(() => true);
    expect(wakeMail).toHaveBeenCalledOnce();
    vi.spyOn(store.analytics, 'progress').mockRejectedValue(new Error('disk full'));
    const running = job.start();
    onTestFinished(() => running.stop(0));
    await until(() => expect(log.mock.calls).toEqual([['error', 'weekly-email-failed', { reason: 'disk full' }]]));
  });

  it('is sent to every other admin if those of two admins fail, and to these once they can be', async () => {
    const others = ['ada@example.com', 'bob@example.com'];
    const { store, clock } = await withLastWeek();
    const team = [...others, ADMIN_EMAIL];
    for (const email of team) await store.admin.saveSettings(email, ON);
    const job = weeklyJob(jobContext({ store, team: async () => team, clock: () => clock.now }));
    const read = vi.spyOn(store.analytics, 'read');
    read.mockRejectedValueOnce(new Error('too much to read')).mockRejectedValueOnce(new Error('no such zone'));
    const queued = async () =>
      (await Array.fromAsync(store.mails.unsent({ kind: 'notice' }))).map(({ email }) => email);
    await expect(job.runOnce(() => true)).rejects.toThrow('too much to read; no such zone');
    expect(await queued()).toEqual([ADMIN_EMAIL]);
    await job.runOnce(() => true);
    expect((await queued()).toSorted()).toEqual(team.toSorted());
  });

  it('is the last job, and no failure of another one keeps it or the others from running', async () => {
    const { app, store, weekly, runJobs } = await withLastWeek();
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    const order: string[] = [];
    const read = vi.spyOn(store.analytics, 'read').mockImplementation(async () => {
      order.push('weekly');
      throw new Error('too much to read');
    });
    const due = vi.spyOn(store.mails, 'expireLeases').mockImplementation(async () => {
      order.push('mail');
      throw new Error('disk full');
    });
    const deliveries = vi.spyOn(store.webhooks, 'expireLeases').mockImplementation(async () => {
      order.push('webhooks');
      return 0;
    });
    await expect(app.runJobs()).rejects.toThrow('disk full');
    expect(order).toEqual(['mail', 'webhooks', 'weekly']);
    for (const spy of [read, due, deliveries]) spy.mockRestore();
    await runJobs();
    expect(weekly()).toHaveLength(1);
  });

  it('waits in the queue, with the figures of its week, while the mail server is down', async () => {
    let isDown = true;
    const { runJobs, store, clock, weekly } = await withLastWeek({
      deliver: async () => (isDown ? { outcome: 'refused', refusal: 'later', reason: '451' } : { outcome: 'sent' }),
    });
    await store.admin.saveSettings(ADMIN_EMAIL, ON);
    await runJobs();
    isDown = false;
    clock.now += 6 * DAY_MS;
    await runJobs();
    expect(new Set(weekly().map(({ subject }) => subject))).toEqual(
      new Set(['Early access: 9 – 15 March 2026', 'Early access: 16 – 22 March 2026']),
    );
  });
});

it.each([
  ['UTC', Date.UTC(2026, 2, 16), '2026-03-09'],
  ['UTC', Date.UTC(2026, 2, 16) - 1, '2026-03-02'],
  ['America/New_York', Date.UTC(2026, 2, 16), '2026-03-02'],
  ['Europe/Berlin', Date.UTC(2026, 2, 15, 23), '2026-03-09'],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 22), '2026-03-23'],
])('in %s the last week at %d starts on %s', (zone, now, from) => {
  expect(lastWeek(zone, now)).toMatchObject({ from, week: Date.parse(from) });
});
