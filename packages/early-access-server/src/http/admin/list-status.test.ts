import { signupOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_PLACES, OPEN_LIST } from '../../app/signup/list-status.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';

async function statusHarness() {
  const harness = await signedIn();
  const read = () => readJson(harness.get('/list-status'));
  const change = (body: unknown) => harness.post('/list-status', body);
  return { ...harness, read, change };
}

it('people who wait for the list to open are listed apart, exported and erased, and signed up once it opens', async () => {
  const { get, post, change, store, app, read, emails, audited } = await statusHarness();
  await change({ mode: 'paused', takes_requests: true });
  for (const name of ['ada', 'bob']) {
    await store.createSignup(signupOf({ email: `${name}@example.org` }), { language: 'de' });
  }
  const erase = async (email: string) => (await post('/list-status/requests/erase', { email })).json();
  expect(await readJson(get('/list-status/requests'))).toMatchObject({
    requests: [{ email: 'ada@example.org', language: 'de' }, { email: 'bob@example.org' }],
  });
  expect(await (await get('/list-status/requests.csv')).text()).toMatch(/"bob@example\.org".*"de"/);
  expect(await readJson(get('/people'))).toMatchObject({ people: [] });
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
  expect((await audited()).slice(0, 4)).toEqual([
    'open-list 1',
    'erase-request 0',
    'erase-request 1',
    'export-requests 2',
  ]);
});

it('people who wait are signed up at once by running jobs, when the admin opens the list', async () => {
  const { change, store, app, emails } = await statusHarness();
  await change({ mode: 'paused', takes_requests: true });
  await store.createSignup(signupOf({ email: 'ada@example.org' }), { language: 'de' });
  app.start();
  onTestFinished(() => app.stop(0));
  await change({ mode: 'open' });
  await vi.waitFor(() => expect(emails.at(-1)).toMatchObject({ to: 'ada@example.org' }));
});

describe('the status of the list', () => {
  it('is read and changed part by part, each with an entry in the audit log', async () => {
    const { read, change, store, clock } = await statusHarness();
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
    const { change, read } = await statusHarness();
    const wrong: [unknown, string][] = [
      [{ mode: 'ajar' }, 'mode must be one of open, paused, closed'],
      [{ open: true }, 'the body has an unknown setting'],
      [{ max_people: 0 }, `max_people must be a whole number from 1 to ${MAX_PLACES}`],
      [{ max_people: MAX_PLACES + 1 }, 'max_people must be a whole number'],
      [{ closes: '2020-01-01T09:00' }, '2020-01-01 09:00 has passed in UTC'],
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
});
