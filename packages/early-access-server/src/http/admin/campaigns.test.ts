import { signupOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import type { Campaign, CampaignContent, DraftRevision } from '../../app/campaigns/campaign.ts';
import type { Email } from '../../app/ports/mail-transport.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import type { CampaignCheckResponse, CampaignsResponse } from '../routing/schemas/list.ts';

const CONTENT: CampaignContent = {
  subject: 'We are live',
  body: '# Hello\n\nTry [it](https://acme.example/start) now.',
  audience: { states: ['subscribed'], source: null },
};

const MARCH = Date.UTC(2026, 2, 1, 9, 40);
const FIRST: DraftRevision = { revision: 'first', replaces: [] };
const SECOND: DraftRevision = { revision: 'second', replaces: ['first'] };
const FIELDS = {
  company: { type: 'text', label: 'Company' },
  first_name: { type: 'text', label: 'First name' },
} as const;

async function writing(options?: Parameters<typeof signedIn>[0]) {
  const harness = await signedIn(options);
  const get = (path: string) => harness.get(`/campaigns${path}`);
  const post = (path: string, body?: unknown) => harness.post(`/campaigns${path}`, body);
  const list = () => readJson<CampaignsResponse>(get(''));
  const create = (content: CampaignContent = CONTENT) => readJson<Campaign>(post('', { ...content, ...FIRST }));
  return { ...harness, get, post, list, create };
}

describe('campaigns', () => {
  it('are written, changed, listed and removed as drafts', async () => {
    const { create, post, list, clock } = await writing();
    const { id, state } = await create();
    const changed = { ...CONTENT, ...SECOND, subject: '', audience: { states: ['joined', 'invited'], source: 'fair' } };
    expect([state, (await post(`/${id}`, changed)).status]).toEqual(['draft', 204]);
    expect(await list()).toMatchObject({
      campaigns: [{ id, subject: '', audience: { states: ['invited', 'joined'], source: 'fair' } }],
      can_send: true,
      quota: { per_hour: 160, mails_per_hour: 200, spent_until: null, now: clock.now },
      paused_until: null,
    });
    expect([(await post(`/${id}/remove`)).status, (await post(`/${id}/remove`)).status]).toEqual([204, 404]);
    expect((await list()).campaigns).toEqual([]);
  });

  it('that were sent can be read, and duplicated into drafts', async () => {
    const { create, post, list, get } = await writing();
    const { id } = await create();
    await post(`/${id}/state`, { to: 'sending' });
    expect((await get(`/${id}/preview`)).status).toBe(200);
    const copy: Campaign = JSON.parse(await (await post(`/${id}/duplicate`)).text());
    expect(copy).toMatchObject({ ...CONTENT, state: 'draft', started_at: null, people: 0 });
    const again: Campaign = JSON.parse(await (await post(`/${id}/duplicate`)).text());
    expect((await list()).campaigns.map((campaign) => campaign.id)).toEqual([again.id, copy.id, id]);
    expect((await post('/nothing/duplicate')).status).toBe(404);
  });

  it('are written and changed by a caller that knows no revisions', async () => {
    const { post, list } = await writing();
    const created: Campaign[] = [];
    for (const subject of ['One', 'Two'])
      created.push(JSON.parse(await (await post('', { ...CONTENT, subject })).text()));
    const [one, two] = created;
    expect((await post(`/${one?.id}`, { ...CONTENT, subject: 'More' })).status).toBe(204);
    const { campaigns } = await list();
    expect(campaigns).toMatchObject([
      { id: two?.id, subject: 'Two' },
      { id: one?.id, subject: 'More' },
    ]);
    // An editor that has shown an earlier text learns that it was changed.
    const revisions = [one?.revision, two?.revision, campaigns[1]?.revision];
    expect(new Set(revisions).size).toBe(3);
    const stale = { ...CONTENT, revision: 'late', replaces: [one?.revision] };
    expect((await post(`/${one?.id}`, stale)).status).toBe(409);
  });

  it('are started, paused, resumed and cancelled, each with an entry in the audit log', async () => {
    const { create, post, list, store, audited } = await writing();
    for (const email of ['ada@example.org', 'bob@example.org']) await store.createSignup(signupOf({ email }));
    expect(await (await post('/audience', { states: ['subscribed'], source: null })).json()).toEqual({
      people: 2,
      everyone: 2,
      is_partial: false,
    });
    const { id } = await create();
    const statuses = [];
    for (const to of ['paused', 'sending', 'sending', 'paused', 'sending', 'cancelled', 'sending']) {
      statuses.push((await post(`/${id}/state`, { to })).status);
    }
    // The second request to start it, from another click or tab, finds it done.
    expect(statuses).toEqual([409, 204, 204, 204, 204, 204, 409]);
    expect((await list()).campaigns).toMatchObject([{ state: 'cancelled', people: 2 }]);
    expect((await audited()).slice(0, 4)).toEqual([
      'campaign-cancelled 2',
      'campaign-sending 2',
      'campaign-paused 2',
      'campaign-sending 2',
    ]);
    const late = await post(`/${id}`, { ...CONTENT, ...SECOND });
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('this email has been started')]);
    expect((await post(`/${id}/remove`)).status).toBe(409);
  });

  it('are not overwritten by a text whose author has not seen the stored one, nor sent with another text', async () => {
    const { create, post, list, emails } = await writing();
    const { id } = await create();
    expect((await post(`/${id}`, { ...CONTENT, ...SECOND, body: 'Mine' })).status).toBe(204);
    const before = emails.length;
    for (const response of [
      await post(`/${id}`, { ...CONTENT, revision: 'other', replaces: ['first'] }),
      await post(`/${id}/test`, { revision: 'first' }),
      await post(`/${id}/state`, { to: 'sending', revision: 'first' }),
    ]) {
      expect([response.status, await response.text()]).toEqual([
        409,
        expect.stringContaining('changed in another tab or by another admin; nothing was overwritten'),
      ]);
    }
    expect(emails).toHaveLength(before);
    expect((await list()).campaigns).toMatchObject([{ id, body: 'Mine', revision: 'second', state: 'draft' }]);
    expect((await post(`/${id}/test`, { revision: 'second' })).status).toBe(200);
    expect((await post(`/${id}/state`, { to: 'sending', revision: 'second' })).status).toBe(204);
  });

  it('are neither shown nor started if their marks would take seconds to read', async () => {
    const { create, get, post } = await writing();
    const { id } = await create({ ...CONTENT, body: '_a'.repeat(10_000) });
    const problem = 'the text has more than 600 of the marks * _ ~; remove some';
    expect(await (await get(`/${id}/check`)).json()).toMatchObject({ problem });
    expect(await (await get(`/${id}/preview`)).text()).toBe(problem);
    expect(await (await post(`/${id}/state`, { to: 'sending' })).text()).toContain(problem);
  });

  it.each(['Hello {{fields.compny}}', 'Hello {{company}}'])(
    'are neither shown, tested nor started with %s',
    async (body) => {
      const { create, get, post, emails } = await writing({ fields: FIELDS });
      const { id } = await create({ ...CONTENT, body });
      const before = emails.length;
      const problem = expect.stringContaining('; did you mean {{fields.company}}?');
      expect(await (await get(`/${id}/check`)).json()).toEqual({ problem, examples: [], warnings: [] });
      expect(await (await get(`/${id}/preview`)).text()).toEqual(problem);
      for (const response of [await post(`/${id}/test`), await post(`/${id}/state`, { to: 'sending' })]) {
        expect([response.status, await response.text()]).toEqual([400, problem]);
      }
      expect(emails).toHaveLength(before);
      await post(`/${id}`, { ...CONTENT, ...SECOND, body: 'Hello {{fields.company}}' });
      expect(await (await get(`/${id}/preview?as=text`)).text()).toContain('Hello Company');
      expect((await post(`/${id}/state`, { to: 'sending' })).status).toBe(204);
    },
  );

  it('show a problem as text that the frame of the dashboard may show', async () => {
    const { create, get } = await writing();
    const { id } = await create({ ...CONTENT, body: '{{name}}' });
    const { headers } = await get(`/${id}/preview`);
    expect([headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
      'text/plain; charset=utf-8',
      expect.stringContaining("frame-ancestors 'self'"),
    ]);
  });

  it('are shown as someone in the audience gets them, and as someone who has entered nothing else', async () => {
    const { create, get, store } = await writing({ fields: FIELDS });
    const subject =
      '{{^fields.company}}For you{{/fields.company}}{{#fields.company}}For {{fields.company}}{{/fields.company}}';
    const { id } = await create({ ...CONTENT, subject, body: 'Hello {{fields.first_name}}! [Shop](/shop)' });
    const check = async (): Promise<CampaignCheckResponse> => JSON.parse(await (await get(`/${id}/check`)).text());
    const empty = { for: 'empty', email: null, subject: 'For you' };
    expect(await check()).toEqual({
      problem: null,
      examples: [{ for: 'person', email: null, subject: 'For Company' }, empty],
      warnings: [
        '{{fields.company}}, {{fields.first_name}}: empty in the emails to people who have not confirmed their address',
        expect.stringContaining('“Shop”'),
      ],
    });
    for (const [email, fields] of [
      ['ada@example.org', { company: 'Acme', first_name: 'Ada' }],
      ['bob@example.org', { company: 'Bobs' }],
      ['eve@example.org', {}],
    ] as const) {
      const person = { email, fields, source: 'file', created_at: 1, confirmed_at: 1, state: 'subscribed' } as const;
      await store.list.importPeople([person], { welcome: false });
    }
    // A stranger may have entered what is not confirmed.
    const stranger = { company: 'Evil', first_name: 'Eve' };
    await store.createSignup(signupOf({ email: 'unconfirmed@example.org', fields: stranger }));
    expect((await check()).examples).toEqual([{ for: 'person', email: 'ada@example.org', subject: 'For Acme' }, empty]);
    const text = async (who: string) => (await get(`/${id}/preview?as=text&for=${who}`)).text();
    expect([await text('person'), await text('empty')]).toEqual([
      expect.stringContaining('Hello Ada!'),
      expect.stringContaining('Hello !'),
    ]);
  });

  it('have a plain text that is wrapped with the values of the person in it', async () => {
    const { create, get, store } = await writing({ fields: FIELDS });
    const company = 'A company with a rather long name';
    const person = { email: 'a@x.io', source: 'file', created_at: 1, confirmed_at: 1, state: 'subscribed' } as const;
    await store.list.importPeople([{ ...person, fields: { company } }], { welcome: false });
    const { id } = await create({ ...CONTENT, body: `- ${'{{fields.company}} and '.repeat(8)}` });
    const text = await (await get(`/${id}/preview?as=text`)).text();
    expect(text).toContain(company);
    for (const line of text.split('\n').filter((line) => line.includes('company')))
      expect(line.length).toBeLessThan(75);
  });

  it('are not started without a subject and a text', async () => {
    const { create, post } = await writing();
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
    const { create, get } = await writing();
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

  it('are sent as a test to the admin alone, exactly as people get them', async () => {
    const { app, create, post, emails, store } = await writing();
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const { id } = await create();
    const before = emails.length;
    expect(await (await post(`/${id}/test`)).json()).toMatchObject({ outcome: 'sent' });
    expect(emails.slice(before)).toMatchObject([{ to: ADMIN_EMAIL, subject: 'We are live' }]);
    const test = emails.at(-1);
    await post(`/${id}/state`, { to: 'sending' });
    await app.runJobs();
    expect(emails.at(-1)).toMatchObject({ to: 'ada@example.org', subject: 'We are live' });
    const withoutTokens = (email: Email | undefined) => {
      const { to: _, messageId: __, ...rest } = email ?? {};
      return JSON.parse(JSON.stringify(rest).replaceAll(/token=[\w-]{43}/g, 'token=…'));
    };
    expect(withoutTokens(test)).toEqual(withoutTokens(emails.at(-1)));
    expect(JSON.stringify(test?.headers)).toContain('token=');
  });

  it('are sent as a test without the values of a person, whom a copy could outlive', async () => {
    const { create, get, post, emails, store } = await writing({ fields: FIELDS });
    const ada = {
      email: 'ada@example.org',
      state: 'subscribed',
      source: 'fair',
      fields: { company: 'Analytical Engines' },
    } as const;
    await store.list.importPeople([{ ...ada, created_at: 1, confirmed_at: 1 }], { welcome: false });
    const { id } = await create({ ...CONTENT, body: 'Hello {{fields.company}}!' });
    expect(await (await get(`/${id}/preview?as=text`)).text()).toContain('Hello Analytical Engines!');
    await post(`/${id}/test`);
    expect(emails.at(-1)?.text).toContain('Hello Company!');
    expect(JSON.stringify(emails)).not.toContain('Analytical');
  });

  it.each([false, true])(
    'have a link in the test to unsubscribe that works, if the admin is on the list: %s',
    async (isListed) => {
      const { app, create, post, emails, store } = await writing();
      if (isListed) await store.createSignup(signupOf({ email: ADMIN_EMAIL }));
      const { id } = await create();
      await post(`/${id}/test`);
      const [link = ''] = /http:\S+\/unsubscribe\?token=\S+/.exec(emails.at(-1)?.text ?? '') ?? [];
      const page = await (await app.fetch(new Request(link))).text();
      expect(page).toContain('Unsubscribe?');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'List-Unsubscribe=One-Click';
      const done = await app.fetch(new Request(link, { method: 'POST', headers, body }));
      expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
      expect([...(await store.list.counts())]).toEqual(isListed ? [['unsubscribed', 1]] : []);
    },
  );

  it('start at a local time in a time zone, late if no process ran, and are drafts again before', async () => {
    const { app, create, post, list, clock, store, emails, audited, log } = await writing();
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const { id } = await create();
    const at = new Date(clock.now + HOUR_MS).toISOString().slice(0, 16);
    const schedule = (body: object = {}) => post(`/${id}/schedule`, { at, zone: 'UTC', revision: 'first', ...body });
    const first = await schedule();
    const scheduled_at = Date.parse(`${at}Z`);
    expect([first.status, await first.json()]).toEqual([200, { scheduled_at, note: null }]);
    expect(await list()).toMatchObject({
      campaigns: [{ state: 'scheduled', scheduled_at, time_zone: 'UTC', started_at: null }],
    });
    const again = await schedule();
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('scheduled or started already')]);
    for (const refused of [await post(`/${id}`, { ...CONTENT, ...SECOND }), await post(`/${id}/remove`)]) {
      expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('unschedule it to change')]);
    }
    expect((await post(`/${id}/state`, { to: 'draft' })).status).toBe(204);
    expect((await post(`/${id}`, { ...CONTENT, ...SECOND, subject: 'Later' })).status).toBe(204);
    expect((await schedule()).status).toBe(409);
    expect((await schedule({ revision: 'second' })).status).toBe(200);
    expect((await audited()).slice(0, 3)).toEqual(['campaign-scheduled 1', 'campaign-draft 0', 'campaign-scheduled 1']);

    await app.runJobs();
    expect((await list()).campaigns).toMatchObject([{ state: 'scheduled' }]);
    clock.now = scheduled_at + HOUR_MS;
    await app.runJobs();
    expect(emails.filter(({ subject }) => subject === 'Later')).toHaveLength(1);
    expect((await list()).campaigns).toMatchObject([
      { sent: 1, scheduled_at, started_at: clock.now, unsubscribed: 0, complained: 0, joined: 0 },
    ]);
    const started = log.filter(({ event }) => event === 'campaign-started');
    expect(started).toMatchObject([{ level: 'info', fields: { people: 1, late_ms: HOUR_MS } }]);
  });

  it('are not scheduled for a time that does not exist, is past or is none', async () => {
    const { create, post, list } = await writing({ now: MARCH });
    const { id } = await create();
    for (const [body, message] of [
      [
        { at: '2026-03-29T02:30', zone: 'Europe/Berlin' },
        'skip 2026-03-29 02:30; the nearest time is 2026-03-29 03:00',
      ],
      [{ at: '2020-01-01T09:00' }, 'has passed in UTC; the earliest time is'],
      [{ at: 'tomorrow' }, 'at must be a local time'],
      [{ at: '2026-03-20T09:00', zone: 'Mars/Olympus' }, 'zone must be the name of a time zone'],
      [{ at: null }, 'at must be a local time'],
      [{}, 'at is missing'],
    ] as const) {
      const response = await post(`/${id}/schedule`, body);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await list()).campaigns).toMatchObject([{ state: 'draft' }]);
  });

  it('have one follow-up, which is a draft until it is scheduled', async () => {
    const { create, post, list } = await writing();
    const { id } = await create();
    const followUp = (after_days: number) => post(`/${id}/follow-up`, { after_days });
    const early = await followUp(3);
    expect([early.status, await early.text()]).toEqual([409, expect.stringContaining('has not been started')]);
    await post(`/${id}/state`, { to: 'sending' });
    for (const days of [0, 91, 1.5]) expect((await followUp(days)).status).toBe(400);
    const draft: Campaign = JSON.parse(await (await followUp(3)).text());
    expect(draft).toMatchObject({ state: 'draft', follows: id, after_days: 3 });
    expect(await (await followUp(14)).json()).toMatchObject({ id: draft.id, after_days: 14 });
    await post(`/${draft.id}`, { ...CONTENT, revision: 'x', replaces: [draft.revision] });
    const now = await post(`/${draft.id}/state`, { to: 'sending' });
    expect([now.status, await now.text()]).toEqual([409, expect.stringContaining('scheduled by its days')]);
    expect((await post(`/${draft.id}/schedule`, { at: '2026-03-20T09:00' })).status).toBe(400);
    const scheduled = await post(`/${draft.id}/schedule`, { at: null });
    expect([scheduled.status, await scheduled.json()]).toEqual([200, { scheduled_at: null, note: null }]);
    expect((await list()).campaigns).toMatchObject([{ id: draft.id, state: 'scheduled' }, { id }]);
  });

  it('are refused with parts that are not valid', async () => {
    const { post, list } = await writing();
    for (const [part, message] of [
      [{ subject: 'a\r\nBcc: x@y.io' }, 'subject must be one line'],
      [{ subject: 'x'.repeat(201) }, 'subject must be text of at most 200 characters'],
      [{ body: 'x'.repeat(20_001) }, 'body must be text of at most 20000 characters'],
      [
        { audience: { states: ['unsubscribed'], source: null } },
        'states must list some of subscribed, invited, joined',
      ],
      [{ audience: { states: ['joined', 'joined'], source: null } }, 'states must list'],
      [{ audience: { states: [], source: 1 } }, 'source must be text'],
      [{ audience: null }, 'audience must have states and source'],
      [{ revision: '' }, 'revision must not be empty'],
      [{ replaces: Array.from({ length: 30 }, String) }, 'replaces'],
    ] as const) {
      const response = await post('', { ...CONTENT, ...FIRST, ...part });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await list()).campaigns).toEqual([]);
  });
});
