import { signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import type { Campaign } from '../../app/campaigns/campaign.ts';
import { MAX_STEPS } from '../../app/campaigns/series.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { deliverAll } from '../../testing/harness.ts';
import type { SeriesResponse } from '../routing/schemas/list.ts';

const TEXT = {
  subject: 'Tips',
  body: 'Hello',
  audience: { states: ['subscribed', 'invited', 'joined'], source: null },
};

async function signedIn() {
  const harness = adminHarness();
  let cookie = await harness.signIn();
  const signInAgain = async () => {
    cookie = await harness.signIn();
  };
  const post = (path: string, body: unknown = {}) =>
    harness.request('POST', `/admin/campaigns${path}`, { cookie, body });
  const read = async (): Promise<SeriesResponse> =>
    JSON.parse(await (await harness.request('GET', '/admin/campaigns/series', { cookie })).text());
  async function write(timing: object, text: object = TEXT): Promise<Campaign> {
    const step: Campaign = JSON.parse(await (await post('/series', timing)).text());
    expect((await post(`/${step.id}`, text)).status).toBe(204);
    return step;
  }
  const audited = async () => (await harness.store.admin.audit(9)).map(({ action, count }) => `${action} ${count}`);
  return { ...harness, post, read, write, audited, signInAgain };
}

describe('the series after signing up', () => {
  it('is written like campaigns, says what it does, is turned on and paused, and both are in the audit log', async () => {
    const { post, read, write, audited, store, clock, signInAgain } = await signedIn();
    expect(await read()).toEqual({ steps: [], start: [] });
    await store.createSignup(signupOf({ email: 'before@example.org' }));
    clock.now += 1;
    const first = await write({ after: 'subscribed', days: 3 });
    const second = await write({ previous: first.id, days: 1 }, { ...TEXT, subject: 'More' });
    expect(await read()).toEqual({
      steps: [
        { id: first.id, timing: '3 days after they sign up', late: 0, coming: 0 },
        { id: second.id, timing: '1 day after “Tips”', late: 0, coming: 0 },
      ],
      start: [
        'From now on, people get “Tips” 3 days after they sign up.',
        'From now on, people get “More” 1 day after “Tips”.',
        'No one gets emails for earlier signups, invitations or joins.',
      ],
    });
    expect((await post('/series/state', { to: 'sending' })).status).toBe(204);
    clock.now += 1;
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    expect((await read()).steps).toMatchObject([{ coming: 1 }, { coming: 0 }]);
    const running = await post(`/${first.id}`, TEXT);
    expect([running.status, await running.text()]).toEqual([409, expect.stringContaining('pause this email')]);
    expect((await post(`/${first.id}/timing`, { after: 'subscribed', days: 2 })).status).toBe(409);
    expect((await post('/series/state', { to: 'paused' })).status).toBe(204);
    expect((await post(`/${first.id}`, { ...TEXT, subject: 'Better tips' })).status).toBe(204);
    expect((await post(`/${first.id}/timing`, { after: 'subscribed', days: 2 })).status).toBe(204);
    clock.now += 4 * DAY_MS;
    // The session has ended.
    await signInAgain();
    expect((await read()).start).toEqual(['1 person missed “Better tips” while it was paused. They get it now.']);
    expect((await post('/series/state', { to: 'sending' })).status).toBe(204);
    while ((await store.campaigns.feed()) > 0);
    const sent = (await deliverAll(store)).filter(({ kind }) => kind === 'campaign');
    expect(sent).toMatchObject([{ email: 'ada@example.org', campaign: { subject: 'Better tips' } }]);
    expect(await store.campaigns.find(first.id)).toMatchObject({ people: 1, sent: 1 });
    expect((await post(`/${second.id}/state`, { to: 'cancelled' })).status).toBe(204);
    expect((await read()).steps).toHaveLength(1);
    const actions = (await audited()).filter((entry) => !entry.startsWith('sign'));
    expect(actions).toEqual(['campaign-cancelled 0', 'series-sending 2', 'series-paused 2', 'series-sending 2']);
  });

  it('is not turned on if one of its emails cannot be sent, and refuses timings that are not valid', async () => {
    const { post, read, write, store, clock } = await signedIn();
    const first = await write({ after: 'joined', days: 1 });
    await write({ after: 'invited', days: 1 }, { ...TEXT, subject: 'Broken', body: '{{fields.compny}}' });
    const refused = await post('/series/state', { to: 'sending' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('“Broken”: there is no {{fields.compny}}'),
    ]);
    expect((await store.campaigns.list()).map(({ state }) => state)).toEqual(['draft', 'draft']);
    for (const timing of [
      { days: 1 },
      { after: 'pending', days: 1 },
      { after: 'joined', days: 0 },
      { after: 'joined', days: 366 },
      { after: 'joined', previous: first.id, days: 1 },
    ])
      expect((await post('/series', timing)).status).toBe(400);
    expect((await post('/series', { previous: '99', days: 1 })).status).toBe(409);
    expect((await post(`/${first.id}/timing`, { previous: first.id, days: 1 })).status).toBe(409);
    expect((await post('/99/timing', { after: 'joined', days: 1 })).status).toBe(404);
    const { id } = await write({ previous: first.id, days: 1 });
    const removed = await post(`/${first.id}/remove`);
    expect([removed.status, await removed.text()]).toEqual([409, expect.stringContaining('comes after it')]);
    expect((await post(`/${id}/remove`)).status).toBe(204);
    while ((await read()).steps.length < MAX_STEPS) await write({ after: 'joined', days: 2 });
    expect((await post('/series', { after: 'joined', days: 2 })).status).toBe(409);
    const at = new Date(clock.now + DAY_MS).toISOString().slice(0, 16);
    const scheduled = await post(`/${first.id}/schedule`, { at });
    expect([scheduled.status, await scheduled.text()]).toEqual([
      409,
      expect.stringContaining('is turned on, not scheduled'),
    ]);
  });
});
