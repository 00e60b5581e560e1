import { sessionOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import type { Role } from '../../app/access/roles.ts';
import { EVERYONE } from '../../app/people/people.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { allRoutes } from '../../fixtures/all-routes.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { fillStore } from '../../fixtures/filled-store.ts';
import type { NewOverviewLinkResponse, TeamResponse } from '../routing/schemas/team.ts';

const ADA = 'ada@acme.example';

/** An application whose owner has invited Ada. */
async function teamHarness(role: Role = 'admin', options: Parameters<typeof adminHarness>[0] = {}) {
  const harness = adminHarness({ share: { showPlaces: true }, ...options });
  const { request, signIn, store } = harness;
  const owner = await signIn();
  const invite = (email: string, role: Role, cookie = owner) =>
    request('POST', '/admin/team', { cookie, body: { email, role } });
  expect((await invite(` ${ADA.toUpperCase()} `, role)).status).toBe(200);
  const read = async (): Promise<TeamResponse> =>
    JSON.parse(await (await request('GET', '/admin/team', { cookie: owner })).text());
  const { id = '' } = (await store.team.findMember(ADA)) ?? {};
  return { ...harness, owner, invite, read, id };
}

describe('roles and links to the overview', () => {
  it('a viewer and a reader of a link get no address from any route, whatever the store contains', async () => {
    const harness = await teamHarness('viewer');
    const { store, request, signIn, owner, clock } = harness;
    await fillStore(store, 12);
    const address = 'leaked@example.org';
    const session = {
      utm_source: address,
      utm_campaign: `to=${encodeURIComponent(address)}`,
      utm_medium: `x ${address}`,
    };
    await store.startSession(sessionOf({ session_start: clock.now, landing_path: `/hello/${address}`, ...session }));
    const made = await request('POST', '/admin/overview-links', { cookie: owner, body: { name: 'Investors' } });
    const { secret }: NewOverviewLinkResponse = JSON.parse(await made.text());
    const read = async (path: string, headers: { cookie: string } | { authorization: string }) => {
      const response = await request('GET', path, { headers });
      return { status: response.status, text: (await response.text()).replaceAll(`"${ADA}"`, '') };
    };
    const figures = '/admin/dashboard?range=all';
    const everything = { buckets: [0], end: clock.now + 1, previousStart: null, filter: {} };
    expect(JSON.stringify(await store.analytics.read(everything))).toContain(address);
    // Its values can be in the URL of the overview, so no one gets the address with them.
    expect((await read(figures, { cookie: owner })).text).not.toContain(address);
    const ids = {
      people: (await store.people.list({ ...EVERYONE, sort: 'newest', limit: 1, after: null })).people[0]?.id,
      campaigns: (await store.campaigns.list())[0]?.id,
      webhooks: (await store.webhooks.list())[0]?.id,
    };
    for (const headers of [{ cookie: await signIn(ADA) }, { authorization: `Bearer ${secret}` }]) {
      const paths = allRoutes().flatMap((route) =>
        route.startsWith('GET /api/admin/') ? route.slice('GET /api'.length) : [],
      );
      for (const path of [...paths, figures]) {
        const [, , kind = ''] = path.split('/');
        const id = Object.entries(ids).find(([name]) => name === kind)?.[1] ?? '1';
        const { status, text } = await read(path.replace(':id', id), headers);
        expect([path, status < 500, text]).toEqual([path, true, expect.not.stringMatching(/@|%40/)]);
      }
      const { status, text } = await read(figures, headers);
      expect([status, text]).toEqual([200, expect.stringContaining('[address]')]);
    }
  });
});

describe('the team', () => {
  it('is invited by an email with a link, and signs in with its role', async () => {
    const { emails, request, signIn, read, clock, id } = await teamHarness('editor');
    await vi.waitFor(() => expect(emails.at(-1)?.to).toBe(ADA));
    expect(emails.at(-1)?.subject).toBe('You are invited to the dashboard of Early access');
    expect(emails.at(-1)?.text).toContain(`${ADMIN_EMAIL} has invited you`);
    expect(await read()).toEqual({
      owners: [ADMIN_EMAIL],
      members: [{ id, email: ADA, role: 'editor', invited_at: clock.now, invited_by: ADMIN_EMAIL, signed_in_at: null }],
    });
    const cookie = await signIn(ADA);
    const session = await request('GET', '/admin/session', { cookie });
    expect(await session.json()).toMatchObject({ email: ADA, role: 'editor', is_owner: false });
    expect((await read()).members).toMatchObject([{ signed_in_at: clock.now }]);
    await signIn(ADA);
    expect(emails.at(-1)?.subject).toBe('Sign in to Early access');
  });

  it('has an address once, an owner never, and no more than 50 members', async () => {
    const { invite, store, read } = await teamHarness();
    for (const email of [ADA, ADMIN_EMAIL]) expect((await invite(email, 'viewer')).status).toBe(409);
    for (const email of ['', 'ada', 'ada@example.org, eve@example.org'])
      expect((await invite(email, 'viewer')).status).toBe(400);
    expect((await read()).members).toMatchObject([{ email: ADA, role: 'admin' }]);
    for (let count = 1; count < 50; count += 1)
      await store.team.invite({ email: `m${count}@acme.example`, role: 'viewer', invited_by: ADMIN_EMAIL });
    expect((await invite('late@acme.example', 'viewer')).status).toBe(400);
  });

  it('a changed role counts at once, and a removed member is out at once', async () => {
    const { request, signIn, owner, id, linkToken } = await teamHarness('editor');
    const [cookie, token] = [await signIn(ADA), await linkToken(ADA)];
    const people = async () => (await request('GET', '/admin/people', { cookie })).status;
    expect(await people()).toBe(200);
    expect((await request('POST', `/admin/team/${id}`, { cookie: owner, body: { role: 'viewer' } })).status).toBe(204);
    expect(await people()).toBe(403);
    expect((await request('POST', `/admin/team/${id}/remove`, { cookie: owner })).status).toBe(204);
    expect(await people()).toBe(401);
    expect((await request('POST', '/admin/session', { body: { token } })).status).toBe(401);
    for (const path of [`/admin/team/${id}`, `/admin/team/${id}/remove`])
      expect((await request('POST', path, { cookie: owner, body: { role: 'admin' } })).status).toBe(404);
  });

  it('an invited admin can neither remove nor sign out the owner', async () => {
    const { request, signIn, owner, store } = await teamHarness('admin');
    const cookie = await signIn(ADA);
    const sessions = await store.admin.sessions();
    for (const { id } of sessions.filter(({ email }) => email === ADMIN_EMAIL))
      expect((await request('POST', '/admin/sessions/revoke', { cookie, body: { id } })).status).toBe(403);
    expect((await request('GET', '/admin/session', { cookie: owner })).status).toBe(200);
    const adas = sessions.find(({ email }) => email === ADA)?.id;
    await request('POST', '/admin/sessions/revoke', { cookie: owner, body: { id: adas } });
    expect((await request('GET', '/admin/session', { cookie })).status).toBe(401);
  });

  it('others see and end their own sessions only', async () => {
    const { request, signIn, owner, store } = await teamHarness('viewer');
    const cookie = await signIn(ADA);
    const list = await request('GET', '/admin/sessions', { cookie });
    expect(await list.json()).toMatchObject({ sessions: [{ email: ADA, current: true }] });
    for (const { id, email } of await store.admin.sessions())
      if (email !== ADA) await request('POST', '/admin/sessions/revoke', { cookie, body: { id } });
    expect((await request('GET', '/admin/session', { cookie: owner })).status).toBe(200);
  });

  it('someone who is no longer an owner is out, and keeps no session for later', async () => {
    const { store, signIn } = await teamHarness();
    const owner = await signIn();
    const { request, linkToken } = adminHarness({ store, adminEmail: 'new@acme.example' });
    expect((await request('GET', '/admin/session', { cookie: owner })).status).toBe(401);
    const before = (await store.admin.sessions()).length;
    const token = await linkToken(ADA);
    expect((await request('POST', '/admin/session', { body: { token } })).status).toBe(204);
    expect(await store.admin.sessions()).toHaveLength(before + 1);
  });

  it('is in the audit with who did what to whom', async () => {
    const { request, signIn, owner, id, store } = await teamHarness('admin');
    await request('POST', `/admin/team/${id}`, { cookie: await signIn(ADA), body: { role: 'editor' } });
    await request('POST', `/admin/team/${id}/remove`, { cookie: owner });
    expect(await store.admin.audit(4)).toMatchObject([
      { action: 'remove-member', admin: ADMIN_EMAIL, member: ADA },
      { action: 'change-member', admin: ADA, member: ADA },
      { action: 'sign-in', admin: ADA },
      { action: 'invite-member', admin: ADMIN_EMAIL, member: ADA },
    ]);
  });
});

describe('a link to the overview', () => {
  async function linkHarness() {
    const harness = await teamHarness();
    const { request, owner } = harness;
    const made = await request('POST', '/admin/overview-links', { cookie: owner, body: { name: 'Investors' } });
    const { link, secret }: NewOverviewLinkResponse = JSON.parse(await made.text());
    const read = (path: string, client?: string) =>
      request('GET', path, { headers: { authorization: `Bearer ${secret}` }, ...(client && { client }) });
    return { ...harness, link, secret, read };
  }

  it('is stored as its hash', async () => {
    const { store, secret, raw } = await linkHarness();
    expect(JSON.stringify(raw.prepare('SELECT * FROM api_keys').all())).not.toContain(secret);
    expect((await store.apiKeys.list())[0]).toMatchObject({ name: 'Investors', scopes: ['overview'] });
  });

  it('is no API key in the lists, and stops at once when it is revoked', async () => {
    const { request, owner, link, read, store } = await linkHarness();
    const list = async (path: string) => (await request('GET', path, { cookie: owner })).json();
    expect(await list('/admin/api-keys')).toEqual({ api_keys: [] });
    expect(await list('/admin/overview-links')).toEqual({ links: [link] });
    expect((await read('/admin/dashboard?range=7d')).status).toBe(200);
    expect((await request('POST', `/admin/overview-links/${link.id}/revoke`, { cookie: owner })).status).toBe(204);
    expect((await read('/admin/dashboard?range=7d')).status).toBe(401);
    expect((await request('POST', `/admin/overview-links/${link.id}/revoke`, { cookie: owner })).status).toBe(404);
    expect((await store.admin.audit(10)).map(({ action, api_key }) => [action, api_key])).toEqual(
      expect.arrayContaining([
        ['revoke-overview-link', 'Investors'],
        ['overview-link-used', 'Investors'],
        ['add-overview-link', 'Investors'],
      ]),
    );
  });

  it('is read as often as an open page needs it, over all clients', async () => {
    const { read, clock } = await linkHarness();
    const statuses = new Set<number>();
    for (let count = 0; count < 130; count += 1)
      statuses.add((await read('/admin/dashboard?range=7d', `192.0.2.${count}`)).status);
    expect([...statuses]).toEqual([200, 429]);
    clock.now += 60_000;
    expect((await read('/admin/dashboard?range=7d')).status).toBe(200);
  });
});
