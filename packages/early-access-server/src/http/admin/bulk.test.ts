import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, vi } from 'vitest';
import type { BulkJob } from '../../app/people/bulk.ts';
import { startBulk } from '../../app/people/bulk.ts';
import { EVERYONE } from '../../app/people/people.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import type { BulkJobsResponse, BulkResponse, PeopleResponse } from '../routing/schemas/people.ts';

const INVITES = { url: new URL('https://app.acme.example/join'), key: 'k'.repeat(32) };

async function withPeople(count: number, options: Parameters<typeof signedIn>[0] = { invites: INVITES }) {
  const harness = await signedIn(options);
  for (let at = 0; at < count; at += 1) {
    await harness.store.createSignup(
      signupOf({ email: `person${at}@example.org`, source: at % 2 === 0 ? 'fair' : 'blog' }),
    );
    harness.clock.now += 1_000;
  }
  const jobs = async () => (await readJson<BulkJobsResponse>(harness.get('/bulk'))).jobs;
  const begin = (path: string, body: unknown) => readJson<BulkJob>(harness.post(path, body));
  const states = async () => (await Array.fromAsync(harness.store.people.all(EVERYONE))).map(({ state }) => state);
  return { ...harness, jobs, begin, states };
}

describe('labels', () => {
  it('are set and taken off, refused if they cannot be used, and in the list, the record and the CSV', async () => {
    const { get, post, audited } = await withPeople(2);
    const { people } = await readJson<PeopleResponse>(get('/people?sort=oldest'));
    const ids = people.map(({ id }) => id);
    const change = (body: object) => readJson<BulkResponse>(post('/people/labels', body));
    const set = await change({ ids: [...ids, 'nobody'], add: [' VIP ', 'Press  list'], remove: ['x'] });
    expect(set.results.map(({ result }) => result)).toEqual(['done', 'done', 'gone']);
    await change({ ids: ids.slice(1), remove: ['VIP'] });
    const many = Array.from({ length: 10 }, (_, index) => `l${index}`);
    expect((await change({ ids: ids.slice(0, 1), add: many })).results[0]?.result).toBe('too-many');
    expect(await readJson(get('/people/labels'))).toEqual({ labels: ['Press list', 'VIP'] });
    expect(await readJson(get(`/people/${ids[0]}`))).toMatchObject({ labels: ['Press list', 'VIP'] });
    const segment = { texts: [{ of: 'labels', test: 'none', values: ['VIP'] }] };
    const inSegment = { people: [{ id: ids[1], labels: ['Press list'] }] };
    expect(await readJson(post('/people/search', { segment }))).toMatchObject(inSegment);
    expect(await (await get('/people.csv')).text()).toMatch(
      /,"labels"\r\n.*,"Press list, VIP"\r\n.*,"Press list"\r\n$/,
    );
    for (const body of [
      { ids, add: ['a,b'] },
      { ids, add: ['x'.repeat(41)] },
      { ids },
      { ids, add: [''] },
      { ids, add: [7] },
    ]) {
      expect((await post('/people/labels', body)).status).toBe(400);
    }
    expect(await audited()).toContain('label 2');
  });
});

describe('an action on everyone who matches', () => {
  it('is done in the request where no jobs are running, and has entries in the audit log', async () => {
    const { begin, jobs, states, audited, clock } = await withPeople(5);
    const started = await begin('/bulk/unsubscribe', { people: 3, filter: { source: 'fair' } });
    expect(started).toEqual({
      ...{ id: '1', action: 'unsubscribe', labels: null, state: 'done', started_at: clock.now, ended_at: clock.now },
      ...{ is_collecting: false, people: 3, done: 3, unchanged: 0, left: 0, traces: 0 },
    });
    expect(await jobs()).toEqual([started]);
    expect(await states()).toEqual(['unsubscribed', 'subscribed', 'unsubscribed', 'subscribed', 'unsubscribed']);
    const again = await begin('/bulk/label', { people: 5, add: ['VIP'], remove: ['x'] });
    expect(again).toMatchObject({ labels: { add: ['VIP'], remove: ['x'] }, done: 5 });
    expect(await audited()).toEqual(['label 5', 'bulk-started 5', 'unsubscribe 3', 'bulk-started 3', 'sign-in 1']);
  });

  it('is done by the jobs where they are running', async () => {
    const { begin, jobs, app } = await withPeople(4);
    await app.start();
    await begin('/bulk/label', { people: 4, add: ['VIP'] });
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'done', done: 4 }]));
  });

  it('is continued by a cron job', async () => {
    const { store, app, clock, jobs, audited } = await withPeople(3);
    const about = { action: 'unsubscribe', labels: null, people: 3, author: { session: 'one' } } as const;
    await store.bulk.update((newest) => startBulk(newest, { ...about, filter: EVERYONE }, clock.now));
    await app.runJobs({ withinMs: 60_000 });
    expect(await jobs()).toMatchObject([{ state: 'done', done: 3 }]);
    expect(await audited()).toContain('unsubscribe 3');
  });

  it('does nothing if another number of people matches, or another action has not ended', async () => {
    const { store, post, jobs, states, clock, audited } = await withPeople(3);
    const refused = await post('/bulk/forget', { people: 2 });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('3 people now match')]);
    const about = { action: 'forget', labels: null, people: 3, author: { session: 'one' } } as const;
    await store.bulk.update((newest) => startBulk(newest, { ...about, filter: EVERYONE }, clock.now));
    expect((await post('/bulk/label', { people: 3, add: ['VIP'] })).status).toBe(409);
    expect((await post('/bulk/1/pause')).status).toBe(200);
    expect((await post('/bulk/1/pause')).status).toBe(409);
    expect((await post('/bulk/2/cancel')).status).toBe(409);
    expect((await post('/bulk/1/cancel')).status).toBe(200);
    expect((await post('/bulk/1/resume')).status).toBe(409);
    expect(await jobs()).toMatchObject([{ state: 'cancelled', done: 0 }]);
    expect(await states()).toHaveLength(3);
    expect(await audited()).toEqual(['bulk-cancelled 0', 'bulk-paused 0', 'sign-in 1']);
  });

  it('invites those who wait, and is refused if nobody can be invited', async () => {
    const { begin, states, store } = await withPeople(3);
    await store.list.changePerson('person1@example.org', 'unsubscribe', 'admin');
    expect(await begin('/bulk/invite', { people: 3 })).toMatchObject({ done: 2, unchanged: 1 });
    expect(await states()).toEqual(['invited', 'unsubscribed', 'invited']);
    const { post } = await withPeople(1, {});
    expect((await post('/bulk/invite', { people: 1 })).status).toBe(400);
  });

  it('erases with the copies of emails, and leaves people whose email is on its way', async () => {
    const mailFolder = join(tempFolder(), 'mail');
    const { begin, states, store, raw } = await withPeople(3, { mailFolder });
    await mkdir(mailFolder, { recursive: true });
    const keys = raw.prepare('SELECT message_key FROM mails ORDER BY id').all();
    for (const { message_key } of keys) await writeFile(join(mailFolder, `${message_key}.eml`), 'x');
    await claimNext(store.mails);
    hurry();
    expect(await begin('/bulk/forget', { people: 3 })).toMatchObject({ done: 2, left: 1 });
    expect([await states(), await readdir(mailFolder)]).toEqual([['subscribed'], [expect.any(String)]]);
  });
});
