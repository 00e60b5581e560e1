import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { EVERYONE } from '../../app/people/people.ts';
import type { InviteWave } from '../../app/ports/list-store.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';
import type { ListResponse } from '../routing/schemas/list.ts';

const INVITES = { url: new URL('https://app.acme.example/join'), key: 'k'.repeat(32) };

async function withPeople(count: number, options: Parameters<typeof signedIn>[0] = { invites: INVITES }) {
  const harness = await signedIn(options);
  for (let at = 0; at < count; at += 1) {
    await harness.store.createSignup(signupOf({ email: `person${at}@example.org` }));
    harness.clock.now += 1_000;
  }
  const read = () => readJson<ListResponse>(harness.get('/list'));
  const invite = (body: object) => harness.post('/invites', { after: null, ...body });
  const wave = (body: object) => readJson<InviteWave>(invite(body));
  return { ...harness, read, invite, wave };
}

const find = ({ store }: Awaited<ReturnType<typeof withPeople>>, search: string) =>
  Array.fromAsync(store.people.all({ ...EVERYONE, search }));
const readState = async (...wanted: Parameters<typeof find>) => (await find(...wanted)).map(({ state }) => state);

describe('GET /list', () => {
  it('counts people by state, and shows the waves with their progress', async () => {
    const { read, wave } = await withPeople(3);
    expect(await read()).toEqual({
      counts: { pending: 0, subscribed: 3, invited: 0, joined: 0, unsubscribed: 0, bounced: 0 },
      waves: [],
      can_invite: true,
      shares: false,
    });
    const started = await wave({ count: 2 });
    expect(started).toMatchObject({ people: 2, queued: 2, sent: 0, failed: 0, joined: 0 });
    expect(await read()).toMatchObject({ counts: { subscribed: 1, invited: 2 }, waves: [started] });
  });

  it('says whether invitations are set up', async () => {
    const { read, invite, audited } = await withPeople(1, {});
    expect((await read()).can_invite).toBe(false);
    const refused = await invite({ count: 1 });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('set INVITE_URL')]);
    expect(await audited()).toEqual(['sign-in 1']);
  });
});

describe('POST /invites', () => {
  it('invites the first people who match, or the chosen ones', async () => {
    const harness = await withPeople(12);
    const { wave, audited } = harness;
    const first = await wave({ count: 2, filter: { search: 'PERSON1' } });
    expect(await readState(harness, 'person1')).toEqual(['invited', 'invited', 'subscribed']);
    expect(await readState(harness, 'person0')).toEqual(['subscribed']);
    await wave({ after: first.id, ids: (await find(harness, 'person5')).map(({ id }) => id) });
    expect(await readState(harness, 'person5')).toEqual(['invited']);
    expect(await audited()).toEqual(['invite 1', 'invite 2', 'sign-in 1']);
  });

  it('lets one of 20 parallel clicks win', async () => {
    const { invite, read } = await withPeople(100);
    const responses = await Promise.all(Array.from({ length: 20 }, () => invite({ count: 30 })));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const refused = responses.find(({ status }) => status === 409);
    expect(await refused?.text()).toContain('another wave was started since you opened this page');
    expect((await read()).counts).toMatchObject({ subscribed: 70, invited: 30 });
  });

  it('says that nobody waits', async () => {
    const { invite } = await withPeople(0);
    const response = await invite({ count: 5 });
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('None of them is waiting')]);
  });

  it('refuses a number, people, a wave before or a filter that it does not understand', async () => {
    const { invite, read } = await withPeople(1);
    const counts = [0, 1.5, '3', 10_001].map((count) => ({ count }));
    const waves = [7, 'x'.repeat(101)].map((after) => ({ count: 1, after }));
    for (const body of [{}, ...counts, { ids: [] }, { ids: [1] }, ...waves])
      expect([body, (await invite(body)).status]).toEqual([body, 400]);
    expect((await invite({ count: 1, filter: { mail: 'lost' } })).status).toBe(400);
    expect((await read()).counts.invited).toBe(0);
  });
});

it('POST /invites/:id/withdraw takes back what was not sent', async () => {
  const { wave, read, post, audited } = await withPeople(3);
  const { id } = await wave({ count: 2 });
  const withdraw = async (wanted: string) => (await post(`/invites/${wanted}/withdraw`)).text();
  expect(await withdraw(id)).toBe('{"withdrawn":2}');
  expect(await withdraw(id)).toBe('{"withdrawn":0}');
  expect((await read()).counts).toMatchObject({ subscribed: 3, invited: 0 });
  expect(await audited()).toEqual(['withdraw 0', 'withdraw 2', 'invite 2', 'sign-in 1']);
  for (const unknown of ['nonsense', 'x'.repeat(1_000)]) expect(await withdraw(unknown)).toBe('{"withdrawn":0}');
});
