import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import type { Campaign, CampaignContent } from '../../app/list/campaign.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import type { CampaignsResponse } from '../server/schemas/list.ts';

const CONTENT: CampaignContent = {
  subject: 'We are live',
  body: '# Hello\n\nTry [it](https://acme.example/start) now.',
  audience: { states: ['subscribed'], source: null },
};

async function signedIn(options?: Parameters<typeof adminHarness>[0]) {
  const harness = adminHarness(options);
  const cookie = await harness.signIn();
  const get = (path: string) => harness.request('GET', `/admin/campaigns${path}`, { cookie });
  const post = (path: string, body: unknown = {}) =>
    harness.request('POST', `/admin/campaigns${path}`, { cookie, body });
  const list = async (): Promise<CampaignsResponse> => JSON.parse(await (await get('')).text());
  const create = async (content: CampaignContent = CONTENT): Promise<Campaign> => {
    const response = await post('', content);
    expect(response.status).toBe(200);
    return JSON.parse(await response.text());
  };
  const audited = async () => (await harness.store.admin.audit(9)).map(({ action, count }) => `${action} ${count}`);
  return { ...harness, get, post, list, create, audited };
}

describe('campaigns', () => {
  it('are written, changed, listed and removed as drafts', async () => {
    const { create, post, list } = await signedIn();
    const { id, state } = await create();
    const changed = { ...CONTENT, subject: '', audience: { states: ['joined', 'invited'], source: 'fair' } };
    expect([state, (await post(`/${id}`, changed)).status]).toEqual(['draft', 204]);
    expect(await list()).toMatchObject({
      campaigns: [{ id, subject: '', audience: { states: ['invited', 'joined'], source: 'fair' } }],
      can_send: true,
    });
    expect([(await post(`/${id}/remove`)).status, (await post(`/${id}/remove`)).status]).toEqual([204, 404]);
    expect((await list()).campaigns).toEqual([]);
  });

  it('are started, paused, resumed and cancelled, each with an entry in the audit log', async () => {
    const { create, post, list, store, audited } = await signedIn();
    for (const email of ['ada@example.org', 'bob@example.org']) await store.createSignup(signupOf({ email }));
    expect(await (await post('/audience', { states: ['subscribed'], source: null })).json()).toEqual({ people: 2 });
    const { id } = await create();
    const statuses = [];
    for (const to of ['paused', 'sending', 'sending', 'paused', 'sending', 'cancelled', 'sending']) {
      statuses.push((await post(`/${id}/state`, { to })).status);
    }
    expect(statuses).toEqual([409, 204, 409, 204, 204, 204, 409]);
    expect((await list()).campaigns).toMatchObject([{ state: 'cancelled', people: 2 }]);
    expect((await audited()).slice(0, 4)).toEqual([
      'campaign-cancelled 2',
      'campaign-sending 2',
      'campaign-paused 2',
      'campaign-sending 2',
    ]);
    expect([(await post(`/${id}`, CONTENT)).status, (await post(`/${id}/remove`)).status]).toEqual([409, 409]);
  });

  it('are neither shown nor started if they are nested too deeply', async () => {
    const { create, get, post, list } = await signedIn();
    const { id } = await create({ ...CONTENT, body: '>'.repeat(20_000) });
    for (const response of [await get(`/${id}/preview`), await post(`/${id}/state`, { to: 'sending' })]) {
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('nested too deeply')]);
    }
    expect((await list()).campaigns).toMatchObject([{ state: 'draft' }]);
  });

  it('are not started if they name a field that is not declared', async () => {
    const { create, post, get } = await signedIn({ fields: { company: { type: 'text', label: 'Company' } } });
    const { id } = await create({ ...CONTENT, body: 'Hello {{fields.compny}}' });
    const response = await post(`/${id}/state`, { to: 'sending' });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('there is no field compny'),
    ]);
    await post(`/${id}`, { ...CONTENT, body: 'Hello {{fields.company}}' });
    expect(await (await get(`/${id}/preview?as=text`)).text()).toContain('Hello Company');
    expect((await post(`/${id}/state`, { to: 'sending' })).status).toBe(204);
  });

  it('are not started without a subject and a text', async () => {
    const { create, post } = await signedIn();
    for (const part of [{ subject: ' ' }, { body: '\n' }]) {
      const { id } = await create({ ...CONTENT, ...part });
      const response = await post(`/${id}/state`, { to: 'sending' });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('write a subject and a text'),
      ]);
    }
  });

  it('are shown as pages that load and run nothing, in light, in dark and as text', async () => {
    const { create, get } = await signedIn();
    const { id } = await create({ ...CONTENT, body: `${CONTENT.body}<script>alert(1)</script>` });
    const [light, dark, text] = [
      await get(`/${id}/preview`),
      await get(`/${id}/preview?as=dark`),
      await get(`/${id}/preview?as=text`),
    ];
    for (const response of [light, dark, text]) {
      expect(response.headers.get('content-security-policy')).toBe(
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'",
      );
    }
    const html = await light.text();
    expect(html).toContain('href="https://acme.example/start"');
    expect(html).not.toMatch(/<script/);
    expect([html.includes('@media not all'), (await dark.text()).includes('@media all')]).toEqual([true, true]);
    expect([text.headers.get('content-type'), await text.text()]).toEqual([
      'text/plain; charset=utf-8',
      expect.stringContaining('Try it'),
    ]);
  });

  it('are sent as a test to the admin alone', async () => {
    const { create, post, emails, store } = await signedIn();
    await store.createSignup(signupOf());
    const { id } = await create();
    const before = emails.length;
    expect(await (await post(`/${id}/test`)).json()).toMatchObject({ outcome: 'sent' });
    expect(emails.slice(before)).toMatchObject([{ to: ADMIN_EMAIL, subject: 'We are live' }]);
  });

  it.each([
    [{ subject: 'a\r\nBcc: x@y.io' }, 'subject must be one line'],
    [{ subject: 'x'.repeat(201) }, 'subject must be text of at most 200 characters'],
    [{ body: 'x'.repeat(20_001) }, 'body must be text of at most 20000 characters'],
    [{ audience: { states: ['unsubscribed'], source: null } }, 'states must list some of subscribed, invited, joined'],
    [{ audience: { states: ['joined', 'joined'], source: null } }, 'states must list'],
    [{ audience: { states: [], source: 1 } }, 'source must be text'],
    [{ audience: null }, 'audience must have states and source'],
  ])('are refused with %.60j', async (part, message) => {
    const { post, list } = await signedIn();
    const response = await post('', { ...CONTENT, ...part });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
    expect((await list()).campaigns).toEqual([]);
  });
});
