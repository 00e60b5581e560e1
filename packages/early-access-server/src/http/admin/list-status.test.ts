import { signupOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_PLACES, OPEN_LIST } from '../../app/signup/list-status.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';

async function signedIn() {
  const harness = adminHarness();
  const cookie = await harness.signIn();
  const read = async () => (await harness.request('GET', '/admin/list-status', { cookie })).json();
  const change = (body: unknown) => harness.request('POST', '/admin/list-status', { cookie, body });
  return { ...harness, cookie, read, change };
}

describe('people who wait for the list to open', () => {
  it('are listed apart, exported and erased, and signed up once it opens', async () => {
    const { request, cookie, change, store, app, read, emails } = await signedIn();
    await change({ mode: 'paused', takes_requests: true });
    for (const name of ['ada', 'bob']) {
      await store.createSignup(signupOf({ email: `${name}@example.org` }), { language: 'de' });
    }
    const get = async (path: string) => (await request('GET', `/admin/list-status/requests${path}`, { cookie })).text();
    const erase = (email: string) =>
      request('POST', '/admin/list-status/requests/erase', { cookie, body: { email } }).then((answer) => answer.json());
    expect(JSON.parse(await get(''))).toMatchObject({
      requests: [{ email: 'ada@example.org', language: 'de' }, { email: 'bob@example.org' }],
    });
    expect(await get('.csv')).toMatch(/"bob@example\.org".*"de"/);
    expect(await (await request('GET', '/admin/people', { cookie })).json()).toMatchObject({ people: [] });
    expect([await erase('Ada@example.org'), await erase('ada@example.org')]).toEqual([
      { erased: true },
      { erased: false },
    ]);
    expect(await read()).toMatchObject({ requests: 1 });
    await app.runJobs();
    expect(await read()).toMatchObject({ requests: 1 });
    // Without running jobs the request itself signs them up.
    expect(await (await change({ mode: 'open' })).json()).toMatchObject({ requests: 0 });
    await app.runJobs();
    expect(emails.map(({ to }) => to)).toEqual(['admin@example.com', 'bob@example.org']);
    expect(emails.at(-1)?.subject).toContain('Bestätige');
    expect(await erase('bob@example.org')).toMatchObject({
      error: { message: expect.stringContaining('on the list') },
    });
    const actions = (await store.admin.audit(9)).map(({ action, count }) => `${action} ${count}`);
    expect(actions.slice(0, 4)).toEqual(['open-list 1', 'erase-request 0', 'erase-request 1', 'export-requests 2']);
  });
});

it('people who wait are signed up at once by running jobs, when the admin opens the list', async () => {
  const { change, store, app, emails } = await signedIn();
  await change({ mode: 'paused', takes_requests: true });
  await store.createSignup(signupOf({ email: 'ada@example.org' }), { language: 'de' });
  app.start();
  onTestFinished(() => app.stop(0));
  await change({ mode: 'open' });
  await vi.waitFor(() => expect(emails.at(-1)).toMatchObject({ to: 'ada@example.org' }));
});

describe('the status of the list', () => {
  it('is read and changed part by part, each with an entry in the audit log', async () => {
    const { read, change, store, clock } = await signedIn();
    expect(await read()).toEqual({ status: OPEN_LIST, closed: null, people: null, requests: 0 });
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const zone = 'Asia/Tokyo';
    const closes_at = Math.ceil(clock.now / HOUR_MS) * HOUR_MS + HOUR_MS;
    const closes = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
      .format(closes_at)
      .replace(' ', 'T');
    const limited = await change({ max_people: 2, closes, zone, message: '  Soon more ', link_text: ' ' });
    const status = { ...OPEN_LIST, max_people: 2, closes_at, message: 'Soon more' };
    expect(await limited.json()).toEqual({ status, closed: null, people: 1, requests: 0 });
    expect(await (await change({ closes: `${closes}+09:00` })).json()).toMatchObject({ status: { closes_at } });
    expect(await (await change({ mode: 'paused' })).json()).toEqual({
      status: { ...status, mode: 'paused' },
      closed: 'paused',
      people: null,
      requests: 0,
    });
    await change({ mode: 'closed' });
    expect(await (await change({ mode: 'open' })).json()).toMatchObject({ closed: null });
    await store.createSignup(signupOf({ email: 'bob@example.org' }));
    expect(await read()).toMatchObject({ closed: 'full', people: 2 });
    clock.now = closes_at;
    expect(await read()).toMatchObject({ closed: 'closed', people: null });
    expect(await (await change({ mode: 'open' })).json()).toMatchObject({
      status: { closes_at: null },
      closed: 'full',
    });
    const actions = (await store.admin.audit(9)).map(({ action }) => action);
    const last = ['change-list', 'open-list', 'close-list', 'pause-list', 'change-list', 'change-list', 'sign-in'];
    expect(actions).toEqual(last);
  });

  it('accepts nothing that visitors could not use, and says why', async () => {
    const { change, read } = await signedIn();
    const wrong: [unknown, string][] = [
      [{ mode: 'ajar' }, 'mode must be one of open, paused, closed'],
      [{ open: true }, 'the body has an unknown setting'],
      [{ max_people: 0 }, `max_people must be a whole number from 1 to ${MAX_PLACES}`],
      [{ max_people: MAX_PLACES + 1 }, 'max_people must be a whole number'],
      [{ closes: '2020-01-01T09:00' }, '2020-01-01 09:00 is past in UTC'],
      [{ closes: 'noon' }, 'closes must be a local time such as 2026-12-01T09:00'],
      [{ message: 'x'.repeat(501) }, 'message must be text of at most 500 characters'],
      [{ message: 'a\u0000' }, 'message must be text'],
      [{ link_text: 'x'.repeat(81) }, 'link_text must be text of at most 80 characters'],
      [{ link_url: 'javascript:alert(1)' }, 'link_url must be an address that starts with https://'],
      [{ link_url: 'acme.example' }, 'link_url must be an address'],
      [{ link_url: 'https://ada:secret@acme.example' }, 'link_url must be an address'],
      [{ link_url: `https://acme.example/${'x'.repeat(2_000)}` }, 'link_url must be text of at most 2000 characters'],
    ];
    for (const [body, message] of wrong) {
      const response = await change(body);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { message: expect.stringContaining(message) } },
      ]);
    }
    expect(await read()).toMatchObject({ status: OPEN_LIST });
  });

  it('is what an API key of scope list may change, and no other', async () => {
    const { request, cookie } = await signedIn();
    const createKey = async (scope: string) => {
      const created = await request('POST', '/admin/api-keys', { cookie, body: { name: scope, scopes: [scope] } });
      const { secret }: { secret: string } = JSON.parse(await created.text());
      return { authorization: `Bearer ${secret}` };
    };
    const close = async (scope: string) =>
      (await request('POST', '/admin/list-status', { headers: await createKey(scope), body: { mode: 'closed' } }))
        .status;
    expect([await close('people:write'), await close('list')]).toEqual([403, 200]);
  });
});
