import { signupOf } from '@early-access-kit/testkit/records';
import { MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { jobContext } from '../../fixtures/job-context.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { DEFAULT_ADMIN_SETTINGS, type SignupNotices } from '../ports/admin-store.ts';
import { noticeUntil, signupNoticesJob } from './signup-notices.ts';

const ADMIN = 'admin@example.com';
const NOW = Date.UTC(2026, 2, 16, 12);

/** A store, and an admin who chose these notices. */
async function harness(signup_notices: SignupNotices) {
  const clock = { now: NOW };
  const { store, raw } = tempStore({ clock: () => clock.now });
  await store.admin.saveSettings(ADMIN, { ...DEFAULT_ADMIN_SETTINGS, signup_notices });
  const wakeMail = vi.fn();
  const context = jobContext({
    store,
    team: async () => [ADMIN, 'other@example.com'],
    wakeMail,
    clock: () => clock.now,
  });
  const run = () => signupNoticesJob(context).runOnce(() => true);
  const queued = () =>
    raw
      .prepare("SELECT recipient, data FROM mails WHERE kind = 'notice' ORDER BY id")
      .all()
      .map(({ recipient, data }) => ({ recipient, ...JSON.parse(String(data)) }));
  return { clock, store, wakeMail, context, run, queued };
}

describe('signupNoticesJob', () => {
  it('tells soon of each signup, and of many together', async () => {
    const { clock, store, wakeMail, run, queued } = await harness('each');
    clock.now += 6 * MINUTE_MS;
    await run();
    expect(queued()).toEqual([]);
    await store.createSignup(signupOf());
    clock.now += 1;
    await run();
    const first = { recipient: ADMIN, type: 'signups', signups: 1, since: NOW };
    expect(queued()).toEqual([first]);
    expect(wakeMail).toHaveBeenCalledOnce();
    for (let turn = 0; turn < 3; turn += 1) await store.createSignup(signupOf());
    clock.now += MINUTE_MS;
    await run();
    expect(queued()).toEqual([first]);
    clock.now += 4 * MINUTE_MS;
    await Promise.all([run(), run()]);
    expect(queued()).toEqual([first, { ...first, signups: 3, since: NOW + 6 * MINUTE_MS + 1 }]);
  });

  it('tells once a day of what happened until the morning', async () => {
    const { clock, store, run, queued } = await harness('daily');
    await store.createSignup(signupOf());
    clock.now = Date.UTC(2026, 2, 17, 7, 59);
    await run();
    expect(queued()).toEqual([]);
    clock.now = Date.UTC(2026, 2, 17, 9);
    await store.createSignup(signupOf());
    await run();
    await run();
    expect(queued()).toMatchObject([{ signups: 1, since: NOW }]);
    clock.now = Date.UTC(2026, 2, 18, 8);
    await run();
    expect(queued()).toMatchObject([{}, { signups: 1, since: Date.UTC(2026, 2, 17, 8) }]);
  });

  it('sends nothing to an admin who does not want it', async () => {
    const { clock, store, run, queued } = await harness('off');
    await store.createSignup(signupOf());
    clock.now += 48 * 60 * MINUTE_MS;
    await run();
    expect(queued()).toEqual([]);
  });

  it('tells the other admins if that of one fails, who is told the next time', async () => {
    const { clock, store, run, queued } = await harness('each');
    await store.admin.saveSettings('other@example.com', { ...DEFAULT_ADMIN_SETTINGS, signup_notices: 'each' });
    await store.createSignup(signupOf());
    clock.now += 6 * MINUTE_MS;
    vi.spyOn(store.people, 'count').mockRejectedValueOnce(new Error('disk full'));
    await expect(run()).rejects.toThrow('disk full');
    expect(queued()).toMatchObject([{ recipient: 'other@example.com', signups: 1 }]);
    await run();
    expect(queued()).toMatchObject([{ recipient: 'other@example.com' }, { recipient: ADMIN, signups: 1 }]);
  });

  it('logs a store that fails', async () => {
    const { store, context } = await harness('each');
    vi.spyOn(store.admin, 'signupsNoticedUntil').mockRejectedValue(new Error('disk full'));
    const log = vi.fn();
    const job = signupNoticesJob({ ...context, log }).start();
    onTestFinished(() => job.stop(0));
    await until(() => expect(log.mock.calls).toEqual([['error', 'signup-notices-failed', { reason: 'disk full' }]]));
  });
});

describe('noticeUntil', () => {
  const daily = (time_zone: string | null) => ({ signup_notices: 'daily', time_zone }) as const;

  it('is eight in the morning where the admin is', () => {
    expect(noticeUntil(daily('America/New_York'), 0, NOW)).toBe(NOW);
    expect(noticeUntil(daily('America/New_York'), NOW, NOW + 1)).toBeNull();
    expect(noticeUntil(daily('Asia/Tokyo'), 0, NOW)).toBe(Date.UTC(2026, 2, 15, 23));
    expect(noticeUntil(daily(null), 0, NOW)).toBe(Date.UTC(2026, 2, 16, 8));
  });

  it('is never for an admin who has just switched them off', () => {
    expect(noticeUntil({ ...daily(null), signup_notices: 'off' }, 0, NOW)).toBeNull();
  });
});
