import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, vi } from 'vitest';
import { EVERYONE, type PersonRecord } from '../../app/people/people.ts';
import { listSignupColumns } from '../../app/people/signups-csv.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { deliver } from '../../testing/harness.ts';
import type { AddedPersonResponse, BulkResponse, PeopleResponse } from '../routing/schemas/people.ts';

async function withPeople(emails: readonly string[], options?: Parameters<typeof signedIn>[0]) {
  const harness = await signedIn(options);
  for (const email of emails) {
    await harness.store.createSignup(signupOf({ email }));
    harness.clock.now += 1_000;
  }
  const people = (query: object = {}) => readJson<PeopleResponse>(harness.post('/people/search', query));
  const act = (action: 'forget' | 'resend' | 'unsubscribe', ids: readonly string[]) =>
    readJson<BulkResponse>(harness.post(`/people/${action}`, { ids }));
  return { ...harness, people, act };
}

describe('POST /people/search', () => {
  it('lists pages by cursor, filtered and sorted', async () => {
    const { people } = await withPeople(['ada@example.org', 'bob@example.org', 'eve@example.net']);
    const first = await people({ limit: 2, sort: 'email' });
    expect(first.people.map(({ email }) => email)).toEqual(['ada@example.org', 'bob@example.org']);
    const second = await people({ limit: 2, sort: 'email', after: first.next });
    expect([second.people.map(({ email }) => email), second.next]).toEqual([['eve@example.net'], null]);
    expect((await people({ search: 'EXAMPLE.ORG' })).people).toHaveLength(2);
    expect((await people({ search: '%' })).people).toEqual([]);
    expect((await people({ search: '_da' })).people).toEqual([]);
    expect((await people({ mail: 'queued', source: 'landing_page' })).people).toHaveLength(3);
    expect((await people({ mail: 'none' })).people).toEqual([]);
  });

  it('understands days in the time zone of the admin, both included', async () => {
    const { people, clock } = await withPeople(['ada@example.org']);
    const day = (offset: number) => new Date(clock.now + offset * 86_400_000).toISOString().slice(0, 10);
    expect((await people({ from: day(0), to: day(0) })).people).toHaveLength(1);
    expect((await people({ to: day(-2) })).people).toEqual([]);
    expect((await people({ from: day(2), zone: 'Europe/Berlin' })).people).toEqual([]);
  });

  it('is a page of the list by GET as well, whose URL takes nothing that may be an address', async () => {
    const { get, people } = await withPeople(['ada@example.org', 'bob@example.org']);
    expect(await readJson(get('/people?sort=email&state=subscribed&limit=2'))).toEqual(
      await people({ sort: 'email', state: 'subscribed', limit: 2 }),
    );
    for (const path of ['/people', '/people/count', '/people.csv']) {
      for (const query of ['search=ada', 'source=footer', 'segment={"language":"de"}']) {
        const response = await get(`${path}?${query}`);
        const refused =
          'the query has an unknown condition; search, source and segment are taken in the body of a POST';
        expect([path, query, response.status]).toEqual([path, query, 400]);
        expect(await response.text()).toContain(refused);
      }
    }
  });

  it('refuses input in the URL of an action, which would be for everyone without it', async () => {
    const { post } = await withPeople(['ada@example.org']);
    for (const path of ['search', 'count', 'restore'].map((name) => `/people/${name}`).concat('/invites')) {
      const response = await post(`${path}?state=bounced`, { count: 1 });
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toContain('this route takes no query: send its input in the body');
    }
    for (const body of [
      { serch: 'ada' },
      { state: 'lost' },
      { limit: 0 },
      { after: 'tampered' },
      { search: 'x'.repeat(255) },
    ]) {
      const response = await post('/people/search', body);
      expect([body, response.status]).toEqual([body, 400]);
    }
    const unknown = await post('/people/restore', { count: 1, filter: { serch: 'ada' } });
    expect(await unknown.text()).toContain('filter has an unknown condition');
  });

  it('refuses what it does not understand with a clear message', async () => {
    const { get } = await withPeople([]);
    for (const query of [
      `search=${'x'.repeat(10_000)}`,
      'mail=lost',
      'sort=random',
      'limit=0',
      'limit=201',
      'limit=1e3',
      'limit=1e2',
      'limit=0x10',
      'limit=%205',
      'from=2026-02-30',
      'to=tomorrow',
      'from=0001-01-01',
      'from=2026-01-01&zone=Mars/Olympus',
      'after=tampered',
      `source=${'x'.repeat(1_001)}`,
    ]) {
      const response = await get(`/people?${query}`);
      const text = await response.text();
      expect([query, response.status]).toEqual([query, 400]);
      expect(text).toMatch(/"code":"invalid","message":"[^"]{15,}/);
      expect(text).not.toContain('xxxx');
    }
  });

  it('counts with the same filter, and lists the sources', async () => {
    const { get, post, store } = await withPeople(['ada@example.org', 'bob@example.org']);
    await store.createSignup(signupOf({ email: 'eve@example.org', source: 'footer' }));
    expect(await readJson(get('/people/count'))).toEqual({ count: 3, is_partial: false });
    expect(await readJson(post('/people/count', { source: 'footer' }))).toEqual({ count: 1, is_partial: false });
    expect(await readJson(get('/people/sources'))).toEqual({
      sources: expect.arrayContaining(['footer', 'landing_page']),
    });
  });
});

describe('GET /people/:id', () => {
  it('shows the person with the session in which they signed up, or says that they are gone', async () => {
    const { get, people, store, clock } = await withPeople([]);
    const session = sessionOf({ session_start: clock.now });
    await store.startSession(session);
    await store.createSignup(signupOf({ email: 'ada@example.org', session_id: session.id }));
    const {
      people: [ada],
    } = await people();
    expect(await (await get(`/people/${ada?.id}`)).json()).toMatchObject({
      email: 'ada@example.org',
      mail: { state: 'queued' },
      session: { id: session.id },
    });
    await store.erase('ada@example.org');
    expect((await get(`/people/${ada?.id}`)).status).toBe(404);
    for (const id of ['0', '-1', 'x', '%00', "1'%20OR%201=1", '9'.repeat(90), 'x'.repeat(1_000)])
      expect((await get(`/people/${id}`)).status).toBe(404);
  });
});

describe('POST /people.csv', () => {
  it('streams the people of the filter as the export does, safe to open in a spreadsheet', async () => {
    const { post, store } = await withPeople(['=cmd@example.org', 'ada@example.org', 'bob@example.net']);
    const response = await post('/people.csv', { search: 'example.org' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="people.csv"');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const [header, ...lines] = (await response.text()).trimEnd().split('\r\n');
    expect(header).toBe(
      listSignupColumns([])
        .map((column) => `"${column}"`)
        .join(','),
    );
    expect(lines.map((line) => line.split(',')[0])).toEqual([`"'=cmd@example.org"`, '"ada@example.org"']);
    expect((await store.admin.audit(1))[0]).toMatchObject({ action: 'export', count: 2, filter: 'found by a search' });
  });
});

it('GET /people.csv of a list without end reads a little ahead of the client, and nothing once it is gone', async () => {
  const { get, store } = await withPeople(['ada@example.org']);
  const [ada] = await Array.fromAsync(store.people.all(EVERYONE));
  const read = { people: 0, ended: false };
  vi.spyOn(store.people, 'all').mockImplementation(async function* () {
    try {
      for (; ada !== undefined; read.people += 1) yield ada;
    } finally {
      read.ended = true;
    }
  });
  const { body } = await get('/people.csv');
  const reader = body?.getReader();
  await reader?.read();
  expect(read).toMatchObject({ ended: false, people: expect.any(Number) });
  await reader?.cancel();
  await vi.waitFor(() => expect(read.ended).toBe(true));
  // However long the client takes, what it has not read is bounded.
  expect(read.people).toBeLessThan(5_000);
});

describe('GET /people.csv, several at a time', () => {
  it('refuses a fifth until one of the others has been read, has failed or was cancelled', async () => {
    const { get, store } = await withPeople(['ada@example.org']);
    const download = () => get('/people.csv');
    const open = [await download(), await download(), await download(), await download()];
    const refused = await download();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    await open[0]?.text();
    await open[1]?.body?.cancel();
    open.push(await download(), await download());
    expect((await download()).status).toBe(429);
    await Promise.all(open.slice(2).map((response) => response.text()));

    const { all } = store.people;
    store.people.all = () => {
      throw new Error('disk I/O error');
    };
    for (let failures = 0; failures < 5; failures += 1) expect((await download()).status).toBe(500);
    store.people.all = all;
    expect((await download()).status).toBe(200);
  });
});

describe('POST /people/forget', () => {
  it('erases people with everything about them, as the command does', async () => {
    const folder = join(tempFolder(), 'mail');
    const { act, people, raw, store, clock, audited } = await withPeople(['bob@example.org'], { mailFolder: folder });
    const session = sessionOf({ session_start: clock.now });
    await store.startSession(session);
    await store.createSignup(signupOf({ email: 'ada@example.org', session_id: session.id }));
    await mkdir(folder);
    await writeFile(join(folder, 'old.eml'), 'From: a@b.example\r\nTo: ada@example.org\r\n\r\nWelcome');
    await writeFile(join(folder, 'other.eml'), 'From: a@b.example\r\nTo: bob@example.org\r\n\r\nWelcome');
    const { people: listed } = await people({ search: 'ada' });
    const [id = ''] = listed.map((person) => person.id);
    expect(await act('forget', [id])).toEqual({ results: [{ id, result: 'done' }] });
    expect(readSignups(raw).map(({ email }) => email)).toEqual(['bob@example.org']);
    expect(readSessions(raw)).toEqual([]);
    expect(await readdir(folder)).toEqual(['other.eml']);
    expect((await audited())[0]).toBe('forget 1');
    expect(JSON.stringify(await store.admin.audit(10))).not.toContain('ada@');
  });

  it('says for each whether it was erased, or gone already, also if two admins erase the same people', async () => {
    const { act, people } = await withPeople(['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org']);
    const ids = (await people()).people.map(({ id }) => id);
    const [one, other] = await Promise.all([act('forget', ids), act('forget', ids.toReversed())]);
    const results = (id: string) =>
      [...one.results, ...other.results].filter((entry) => entry.id === id).map(({ result }) => result);
    for (const id of ids) expect(results(id).toSorted()).toEqual(['done', 'gone']);
    expect((await people()).people).toEqual([]);
  });

  it('erases nothing while a copy of the email is being written', async () => {
    const { act, people, store, raw } = await withPeople(['ada@example.org'], { mailFolder: '/nowhere' });
    hurry();
    const message = await claimNext(store.mails);
    const {
      people: [ada],
    } = await people();
    expect((await act('forget', [ada?.id ?? ''])).results[0]?.result).toBe('being-sent');
    expect(readSignups(raw)).toHaveLength(1);
    if (message) await store.mails.recordOutcome(message, { state: 'sent' });
    expect((await act('forget', [ada?.id ?? ''])).results[0]?.result).toBe('done');
  });

  it('does not wait for an email of which no copy is written', async () => {
    const { act, people, store } = await withPeople(['ada@example.org']);
    await claimNext(store.mails);
    expect((await act('forget', [(await people()).people[0]?.id ?? ''])).results[0]?.result).toBe('done');
  });

  it('refuses anything but a list of ids', async () => {
    const { post } = await withPeople([]);
    const lists = [[], 'x', [7], ['x'.repeat(101)], Array(501).fill('1')];
    for (const body of [{}, [], ...lists.map((ids) => ({ ids }))])
      expect([body, (await post('/people/forget', body)).status]).toEqual([body, 400]);
  });
});

it('POST /people/resend queues the email again, and says who is gone or whose email is on its way', async () => {
  const { act, people, store, audited } = await withPeople(['ada@example.org', 'bob@example.org', 'eve@example.org']);
  const [eve = '', bob = '', ada = ''] = (await people()).people.map(({ id }) => id);
  await deliver(store, { state: 'failed', reason: '550' });
  await claimNext(store.mails);
  await store.erase('eve@example.org');
  expect((await act('resend', [ada, bob, eve, ada])).results).toEqual([
    { id: ada, result: 'done' },
    { id: bob, result: 'being-sent' },
    { id: eve, result: 'gone' },
  ]);
  expect((await store.mails.counts()).get('queued')).toBe(1);
  expect((await audited())[0]).toBe('resend 1');
});

describe('POST /people/restore', () => {
  /** A list whose people have all bounced. */
  async function bouncedHarness(emails: readonly string[]) {
    const harness = await withPeople(emails);
    const { mails } = harness.store;
    for (let message = await claimNext(mails); message !== null; message = await claimNext(mails)) {
      await mails.recordOutcome(message, { state: 'failed', reason: '550', refusal: 'no-mailbox' });
    }
    const restore = async (body: object) => {
      const response = await harness.post('/people/restore', body);
      return { status: response.status, body: await response.json() };
    };
    return { ...harness, restore };
  }

  it('returns people to their state before, all who match or chosen ones, and audits how many', async () => {
    const { restore, people, store, audited } = await bouncedHarness([
      'ada@example.org',
      'bob@example.org',
      'eve@example.net',
    ]);
    const [eve = ''] = (await people({ state: 'bounced' })).people.map(({ id }) => id);
    const restored = { status: 200, body: { restored: 1 } };
    expect(await restore({ count: 1, filter: { search: 'example.org' } })).toEqual(restored);
    expect(await restore({ ids: [eve, 'nobody'] })).toEqual(restored);
    expect((await people({ state: 'bounced' })).people).toMatchObject([{ email: 'bob@example.org' }]);
    expect((await audited()).slice(0, 2)).toEqual(['restore 1', 'restore 1']);
    expect((await store.mails.counts()).get('queued')).toBeUndefined();
  });

  it('refuses anything but a number of people or a list of ids', async () => {
    const { restore } = await bouncedHarness([]);
    for (const body of [{}, { count: 0 }, { count: 501 }, { ids: [] }, { ids: 'all' }])
      expect([body, (await restore(body)).status]).toEqual([body, 400]);
  });
});

it('POST /people/unsubscribe unsubscribes people for good, and audits how many', async () => {
  const { act, people, store, audited } = await withPeople(['ada@example.org', 'bob@example.org']);
  const [, ada = ''] = (await people()).people.map(({ id }) => id);
  expect((await act('unsubscribe', [ada, 'nobody'])).results).toEqual([
    { id: ada, result: 'done' },
    { id: 'nobody', result: 'gone' },
  ]);
  expect((await people({ state: 'unsubscribed' })).people).toMatchObject([{ email: 'ada@example.org' }]);
  expect((await audited())[0]).toBe('unsubscribe 1');
  expect(await store.createSignup(signupOf({ email: 'ada@example.org' }))).toBe('created');
});

describe('POST /people/:id/correct', () => {
  async function withPerson() {
    const harness = await withPeople(['ada@exmaple.org', 'eve@example.org']);
    const [, ada = ''] = (await harness.people()).people.map(({ id }) => id);
    const correct = async (email: unknown, id = ada) => {
      const response = await harness.post(`/people/${id}/correct`, { email });
      return [response.status, await response.text()] as const;
    };
    const record = () => readJson<PersonRecord>(harness.get(`/people/${ada}`));
    return { ...harness, ada, correct, record };
  }

  it('asks the owner of the new address, and audits no address', async () => {
    const { correct, record, store, ada, audited, request } = await withPerson();
    expect(await correct(' ADA@example.org ')).toEqual([204, '']);
    expect(await record()).toMatchObject({ email: 'ada@exmaple.org', new_email: 'ada@example.org' });
    expect((await audited())[0]).toBe('correct 1');
    let message = await claimNext(store.mails);
    while (message !== null && message.kind !== 'correction') message = await claimNext(store.mails);
    const response = await request('POST', '/confirm', { body: { token: message?.tokens.link } });
    expect(await response.json()).toEqual({ result: 'confirmed' });
    expect(await record()).toMatchObject({ id: ada, email: 'ada@example.org', new_email: null });
    expect(JSON.stringify((await record()).timeline)).not.toContain('@');
  });

  it('says why it is not possible', async () => {
    const { correct, act, ada, store } = await withPerson();
    expect(await correct('eve@example.org')).toEqual([409, expect.stringContaining('already on the list')]);
    expect(await correct('ada')).toEqual([400, expect.stringContaining('email must be a valid email address')]);
    expect(await correct(7)).toEqual([400, expect.stringContaining('"email ')]);
    for (const id of ['nobody', 'x'.repeat(101)]) expect((await correct('ada@example.org', id))[0]).toBe(404);
    await act('unsubscribe', [ada]);
    expect(await correct('ada@example.org')).toEqual([409, expect.stringContaining('has unsubscribed')]);
    expect((await store.admin.audit(10)).filter(({ action }) => action === 'correct')).toEqual([]);
  });
});

describe('POST /people', () => {
  async function adding() {
    const harness = await withPeople([]);
    const add = async (body: object): Promise<{ status: number; body: AddedPersonResponse }> => {
      const response = await harness.post('/people', body);
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    return { ...harness, add };
  }
  const consent_text = 'Asked me at the fair.';

  it('adds a person who confirms by email, with the consent that the admin states', async () => {
    const { add, people, store, audited } = await adding();
    const { body } = await add({ email: 'Ada@Example.org', consent_text });
    expect(body).toEqual({ result: 'added', id: expect.any(String) });
    expect((await people()).people).toMatchObject([
      { id: body.id, email: 'ada@example.org', state: 'pending', source: 'admin', consent_text, consent_page: null },
    ]);
    expect(await claimNext(store.mails)).toMatchObject({ kind: 'confirmation', email: 'ada@example.org' });
    expect((await audited())[0]).toBe('add 1');
    expect((await store.readSummary()).email_signups).toBe(1);
  });

  it('sends no email to a person who has agreed already', async () => {
    const { add, people, store } = await adding();
    await add({ email: 'ada@example.org', consent_text, state: 'subscribed' });
    expect((await people()).people).toMatchObject([{ state: 'subscribed', mail: null, resends: null }]);
    expect(await claimNext(store.mails)).toBeNull();
  });

  it('changes nobody who is on the list or has left, and says who it is', async () => {
    const { add, act, people, audited } = await adding();
    const { id } = (await add({ email: 'ada@example.org', consent_text })).body;
    await act('unsubscribe', [id]);
    const again = await add({ email: 'ADA@example.org', consent_text: 'Other', state: 'subscribed' });
    expect(again.body).toEqual({ result: 'on-list', id });
    expect((await people()).people).toMatchObject([{ state: 'unsubscribed', consent_text }]);
    expect((await audited()).filter((entry) => entry.startsWith('add'))).toEqual(['add 1']);
  });

  it('refuses what is not valid, and says why', async () => {
    const { add } = await adding();
    for (const [input, message] of [
      [{ email: 'ada@example.org' }, 'consent_text is missing'],
      [{ email: 'ada@example.org', consent_text: ' ' }, 'consent_text must say what the person agreed to'],
      [{ email: 'ada', consent_text }, 'email must be a valid email address'],
      [{ email: 'ada@example.org', consent_text, state: 'joined' }, 'state must be one of pending, subscribed'],
    ] as const)
      expect(await add(input)).toMatchObject({ status: 400, body: { error: { message } } });
  });
});
