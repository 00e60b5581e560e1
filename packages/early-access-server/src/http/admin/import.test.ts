import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import type { ImportEvent, ImportReport } from '../../app/import/run-import.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';
import type { PeopleResponse } from '../routing/schemas/people.ts';

async function importing(options?: Parameters<typeof signedIn>[0]) {
  const harness = await signedIn(options);
  const { cookie } = harness;
  const send = (query: string, body: string, choices = '') => {
    const headers = { 'content-type': 'text/csv', 'import-choices': choices };
    return harness.request('POST', `/admin/import${query}`, { cookie, body, headers });
  };
  return { ...harness, send };
}

async function readEvents(response: Response): Promise<ImportEvent[]> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const CSV = 'email,source\nada@example.org,fair\nbob@example.org,\nnobody,\n';

describe('POST /import', () => {
  it('is a dry run unless asked otherwise, which stores nothing', async () => {
    const { send, store, raw, audited } = await importing();
    await store.createSignup(signupOf({ email: 'bob@example.org' }));
    const response = await send('', CSV);
    const report: ImportReport = JSON.parse(await response.text());
    expect(response.status).toBe(200);
    expect(report.counts).toEqual({ added: 1, unsubscribed: 0, 'on-list': 1, repeated: 0, 'left-out': 0, problem: 1 });
    expect(report.problems).toEqual([
      {
        ...{ line: 4, result: 'problem', person: null, problem: 'email must be a valid email address' },
        ...{ address: 'nobody', column: 'email', value: 'nobody' },
      },
    ]);
    expect(readSignups(raw)).toHaveLength(1);
    expect(await audited()).toEqual(['sign-in 1']);
  });

  it('takes the choices of the admin, and says which columns are used', async () => {
    const { send, raw } = await importing();
    const file = 'Email,E-Mail,Phone,Joined on\na@x.io,ada@example.org,1,3/4/2026\n';
    const dryRun = async (choices: string, query = ''): Promise<ImportReport> =>
      JSON.parse(await (await send(query, file, choices)).text());
    const problem = 'columns 1 (Email) and 2 (E-Mail) are both the email; choose one';
    expect(await dryRun('')).toMatchObject({ problem, counts: { added: 0, problem: 0 }, first: [] });
    const refused = await send('?dry-run=0', file);
    expect([refused.status, await refused.json()]).toEqual([400, { error: { code: 'invalid', message: problem } }]);
    const choices = 'column=email%3D2&column=created_at%3DJoined%20on';
    const asking = await dryRun(choices);
    expect([asking.counts.problem, asking.asks_date_order]).toEqual([1, true]);
    const report = await dryRun(choices, '?dates=day-first');
    expect(report.columns).toEqual([
      { number: 1, name: 'Email', use: null, samples: ['a@x.io'] },
      { number: 2, name: 'E-Mail', use: 'email', samples: ['ada@example.org'] },
      { number: 3, name: 'Phone', use: null, samples: ['1'] },
      { number: 4, name: 'Joined on', use: 'created_at', samples: ['3/4/2026'] },
    ]);
    expect(report.uses).toEqual(expect.arrayContaining(['email', 'opt_in', 'unsubscribed_at']));
    expect([report.asks_date_order, report.sources]).toEqual([false, [{ source: 'import', people: 1 }]]);
    expect(report.states).toMatchObject({ subscribed: 1, unsubscribed: 0 });
    await readEvents(await send('?dates=day-first&dry-run=0', file, choices));
    expect(readSignups(raw)).toMatchObject([{ email: 'ada@example.org', created_at: Date.UTC(2026, 3, 3) }]);
    for (const wrong of ['column=email', 'column=what%3D1', 'column=email%3D9', 'colum=email%3D2']) {
      expect((await send('', file, wrong)).status).toBe(400);
    }
    for (const wrong of ['?dates=maybe', '?column=email%3D2', '?name=ada@example.org.csv']) {
      expect((await send(wrong, file)).status).toBe(400);
    }
  });

  it('asks what values about consent mean, and stores nothing until all are decided', async () => {
    const { send, store, raw } = await importing();
    const file =
      'Email,Status,Date\na@x.io,active,2024-01-31\nb@x.io,inactive,\nc@x.io,Inactive,2024-01-31\nd@x.io,gone,\n';
    const dryRun = async (choices: string, query = ''): Promise<ImportReport> =>
      JSON.parse(await (await send(query, file, choices)).text());
    const asked = await dryRun('');
    expect(asked.questions).toEqual([
      {
        ...{ column: 2, name: 'Status', more: 0 },
        values: [
          { value: 'inactive', people: 2, example: 'b@x.io', meaning: null },
          { value: 'gone', people: 1, example: 'd@x.io', meaning: null },
          { value: 'active', people: 1, example: 'a@x.io', meaning: 'subscribed' },
        ],
      },
    ]);
    expect([asked.problem, asked.counts.added]).toEqual([
      'column 2 (Status) may say who wants email, but some values are not recognized; choose what each value means',
      0,
    ]);
    expect((await send('?dry-run=0', file, 'value=2:gone=ignore')).status).toBe(400);
    expect(readSignups(raw)).toEqual([]);
    for (const wrong of ['value=Status:gone', 'value=gone%3Dignore', 'value=Fax:gone%3Dignore']) {
      expect((await send('', file, wrong)).status).toBe(400);
    }
    const choices = 'value=Status:INACTIVE%3Dleave-out&value=2:*%3Dignore';
    const report = await dryRun(choices);
    expect(report).toMatchObject({
      ...{ problem: null, undated: 1, subscribed_by_ignoring: 1 },
      counts: { added: 2, 'left-out': 2 },
      questions: [{ values: [{ meaning: 'leave-out' }, { meaning: 'subscribed' }, { meaning: 'ignore' }] }],
    });
    await readEvents(await send('?dry-run=0', file, choices));
    expect(readSignups(raw).map(({ email }) => email)).toEqual(['a@x.io', 'd@x.io']);
    const audit = await store.admin.audit(2);
    expect(audit.map(({ action, count }) => `${action} ${count}`)).toEqual(['ignore-consent 1', 'import 2']);
  });

  it('returns all lines with a problem as a CSV, and stores nothing', async () => {
    const { send, raw } = await importing();
    const file = `email,source\nada@example.org,x\n${'nobody,x\n'.repeat(150)}bob@example.org,@SUM(A1)\n`;
    const response = await send('?dry-run=0&problems=csv', file);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\r\n');
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      152,
      '"line","address","column","value","problem"',
      '"3","nobody","email","nobody","email must be a valid email address"',
      `"153","bob@example.org","source","'@SUM(A1)","contains a formula"`,
    ]);
    expect(readSignups(raw)).toEqual([]);
    expect((await send('', file)).status).toBe(200);
  });

  it('adds people, reports its progress and writes it to the audit log', async () => {
    const { send, store, raw, audited } = await importing();
    await store.createSignup(signupOf({ email: 'bob@example.org' }));
    expect(await readEvents(await send('?dry-run=0', CSV))).toEqual([
      { type: 'progress', done: 0, people: 2, added: 0 },
      { type: 'progress', done: 2, people: 2, added: 1 },
      {
        type: 'done',
        report: expect.objectContaining({
          counts: { added: 1, unsubscribed: 0, 'on-list': 1, repeated: 0, 'left-out': 0, problem: 1 },
        }),
      },
    ]);
    expect(readSignups(raw).map(({ email, source }) => [email, source])).toEqual([
      ['bob@example.org', 'landing_page'],
      ['ada@example.org', 'fair'],
    ]);
    expect((await audited())[0]).toBe('import 1');
    expect((await store.mails.counts()).get('queued')).toBe(1);
  });

  it('welcomes people if asked to', async () => {
    const { send, store } = await importing();
    await readEvents(await send('?dry-run=0&welcome=1', CSV));
    expect((await store.mails.counts()).get('queued')).toBe(2);
  });

  it('ends with the failure of the store, and continues if it is repeated', async () => {
    const { send, store, raw, log, audited } = await importing();
    const people = Array.from({ length: 200 }, (_, index) => `p${index}@example.org\n`).join('');
    const { importPeople } = store.list;
    const list = { ...store.list, importPeople };
    let calls = 0;
    Object.assign(store.list, {
      importPeople: (...args: Parameters<typeof importPeople>) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('disk I/O error')) : list.importPeople(...args);
      },
    });
    const events = await readEvents(await send('?dry-run=0', people));
    expect(events.at(-1)).toEqual({ type: 'failed', message: 'the server failed' });
    expect(log.map(({ event }) => event)).toContain('request-failed');
    expect([readSignups(raw).length, (await audited())[0]]).toEqual([100, 'import 100']);
    expect((await readEvents(await send('?dry-run=0', people))).at(-1)).toMatchObject({
      report: { counts: { added: 100, 'on-list': 100 } },
    });
    expect(readSignups(raw)).toHaveLength(200);
  });

  it('stops when the admin goes away', async () => {
    const { send, raw, audited } = await importing();
    const people = Array.from({ length: 5_000 }, (_, index) => `p${index}@example.org\n`).join('');
    const reader = (await send('?dry-run=0', people)).body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    const stored = readSignups(raw).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(5_000);
    expect((await audited())[0]).toBe(`import ${stored}`);
  });

  it('refuses a second one while one is in progress, also a dry run, and allows it afterwards', async () => {
    const { send, store, raw } = await importing();
    const { importPeople } = store.list;
    const isWriting = Promise.withResolvers<void>();
    const mayWrite = Promise.withResolvers<void>();
    store.list.importPeople = async (...args) => {
      isWriting.resolve();
      await mayWrite.promise;
      return importPeople(...args);
    };
    const first = readEvents(await send('?dry-run=0', CSV));
    await isWriting.promise;
    for (const query of ['?dry-run=0', '']) {
      const second = await send(query, 'cy@example.org\n');
      expect([second.status, second.headers.get('retry-after'), await second.json()]).toEqual([
        429,
        '10',
        { error: { code: 'rate-limited', message: 'another import is in progress; try again when it ends' } },
      ]);
    }
    mayWrite.resolve();
    expect((await first).at(-1)).toMatchObject({ type: 'done' });
    expect(readSignups(raw)).toHaveLength(2);
    expect((await send('', 'broken "')).status).toBe(400);
    expect((await send('', CSV)).status).toBe(200);
    const reader = (await send('?dry-run=0', CSV)).body?.getReader();
    await reader?.cancel();
    expect((await send('', CSV)).status).toBe(200);
  });

  it('stores nothing of a file that breaks off', async () => {
    const { app, cookie, raw, log } = await importing();
    const origin = 'http://localhost:4173';
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(CSV)),
      pull: (controller) => controller.error(new Error('aborted')),
    });
    const init = {
      method: 'POST',
      headers: { host: 'localhost:4173', origin, cookie, 'content-type': 'text/csv' },
      body,
      duplex: 'half',
    } as const;
    const response = await app.fetch(new Request(`${origin}/api/admin/import?dry-run=0`, init));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('the body is incomplete')]);
    expect(readSignups(raw)).toEqual([]);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('refuses anything but a CSV, and unknown flags', async () => {
    const { send, post } = await importing();
    expect((await post('/import')).status).toBe(415);
    expect((await send('?dry-run=no', CSV)).status).toBe(400);
  });
});

describe('past imports', () => {
  it('are listed with their file, filter people, and are withdrawn while nothing was sent', async () => {
    const { send, get, post, store, raw, audited } = await importing();
    const withdraw = (id: string, query = '') => readJson(post(`/imports/${id}/withdraw${query}`));
    await store.createSignup(signupOf({ email: 'eve@example.org' }));
    const done = (await readEvents(await send('?dry-run=0&welcome=1', CSV, 'name=old%20list.csv'))).at(-1);
    const id = done?.type === 'done' ? (done.report.import_id ?? '') : '';
    const listed = { id, name: 'old list.csv', created_at: expect.any(Number), added: 2, people: 2 };
    expect(await readJson(get('/imports'))).toEqual({ imports: [listed] });
    const { people } = await readJson<PeopleResponse>(get(`/people?import=${id}&sort=email`));
    expect(people.map(({ email }) => email)).toEqual(['ada@example.org', 'bob@example.org']);
    const counted = post('/people/count', { segment: { import: id } });
    expect(await readJson(counted)).toEqual({ count: 2, is_partial: false });
    const again = (await readEvents(await send('?dry-run=0', CSV))).at(-1);
    expect(again).toMatchObject({ report: { import_id: null, counts: { added: 0 } } });

    await store.list.changePerson('bob@example.org', 'unsubscribe', 'person');
    expect(await withdraw(id)).toEqual({ erased: 1, kept: 1, traceless: true });
    expect(readSignups(raw)).toHaveLength(3);
    expect(await withdraw(id, '?dry-run=0')).toEqual({ erased: 1, kept: 1, traceless: true });
    expect((await audited())[0]).toBe('import-withdrawn 1');
    expect(readSignups(raw).map(({ email }) => email)).toEqual(['eve@example.org', 'bob@example.org']);
    expect(await readJson(get('/imports'))).toEqual({ imports: [{ ...listed, people: 1 }] });
    for (const unknown of ['nothing', '%00', crypto.randomUUID()]) {
      expect(await withdraw(unknown, '?dry-run=0')).toEqual({ erased: 0, kept: 0, traceless: true });
    }
    expect((await get('/people?import=nothing')).status).toBe(400);
  });
});
