import { describe, expect, it, onTestFinished } from 'vitest';
import { findTable } from '../../fixtures/copied-data.ts';
import { openRaw, postgresForFile } from '../../fixtures/postgres.ts';
import { openCopyTarget } from './copy-target.ts';

const postgres = postgresForFile();
const SOURCE = Buffer.alloc(32, 7);
const ALL = { after: null, until: null };

const HOURS = findTable('mail_hours');

async function opened() {
  const url = await postgres().createDatabase();
  const target = await openCopyTarget(url);
  const raw = openRaw(url);
  onTestFinished(async () => {
    await target.close();
    await raw.end();
  });
  const hours = async () =>
    (await raw`SELECT hour, attempts FROM early_access.mail_hours ORDER BY hour`).map((row) => [
      row.hour,
      row.attempts,
    ]);
  return { url, target, raw, hours };
}

const toHours = (...rows: readonly (readonly [hour: number, attempts: number])[]) =>
  rows.map(([hour, attempts]) => ({ hour, attempts }));

describe('a copy target', () => {
  it('is of one source, is resumed until it is finished, and is not started again', async () => {
    const { target } = await opened();
    expect([await target.begin(SOURCE), await target.begin(SOURCE)]).toEqual(['started', 'resumed']);
    expect(await target.begin(Buffer.alloc(32, 8))).toBe('other-data');
    await target.finish(() => 0);
    expect(await target.begin(SOURCE)).toBe('finished');
  });

  it('has the rows of a range, and no others in it', async () => {
    const { target, hours } = await opened();
    await target.replace(HOURS, ALL, toHours([1, 1], [2, 1], [3, 1], [4, 1], [5, 1]));
    expect(await target.replace(HOURS, { after: 1, until: 3 }, toHours([3, 9]))).toBe(true);
    expect(await hours()).toEqual([
      [1, 1],
      [3, 9],
      [4, 1],
      [5, 1],
    ]);
    expect((await target.checksum(HOURS, { after: 1, until: 4 })).rows).toBe(2);
    await target.replace(HOURS, { after: 3, until: null }, []);
    expect((await hours()).map(([hour]) => hour)).toEqual([1, 3]);
  });

  it('says that rows refer to others that are not there, and fails for any other reason', async () => {
    const { target } = await opened();
    const token = { hash: 'a', signup_id: 7, purpose: 'invite', expires_at: 1, used_at: null };
    expect(await target.replace(findTable('person_tokens'), ALL, [token])).toBe(false);
    await expect(target.replace(HOURS, ALL, [{ hour: 'noon', attempts: 1 }])).rejects.toThrow('noon');
  });

  it('gives new rows the numbers after the last', async () => {
    const { target, raw } = await opened();
    await target.finish(({ name }) => (name === 'admin_audit' ? 41 : 0));
    const [entry] = await raw`
      INSERT INTO early_access.admin_audit (at, session, action, count) VALUES (1, 'session', 'sign-in', 1) RETURNING id
    `;
    const [wave] = await raw`INSERT INTO early_access.invite_waves (created_at, people) VALUES (1, 1) RETURNING id`;
    expect([entry?.id, wave?.id]).toEqual([42, 1]);
  });

  it('holds what something may count as until it is finished', async () => {
    const { target, raw } = await opened();
    const trafficSources = findTable('traffic_sources');
    const trafficSource = Object.fromEntries(
      trafficSources.columns.map((column) => [column, column === 'id' ? 1 : 'x']),
    );
    const stored = async () => (await raw`SELECT id FROM early_access.traffic_sources`).length;
    expect(await target.replace(trafficSources, ALL, [trafficSource])).toBe(true);
    expect(await stored()).toBe(1);
    await target.finish(() => 1);
    expect(await stored()).toBe(0);
  });

  it('keeps what something of an earlier state of the source still counts as', async () => {
    const { target, raw } = await opened();
    const [trafficSources, sessions] = [findTable('traffic_sources'), findTable('sessions')];
    const sourceRow = (id: number) =>
      Object.fromEntries(trafficSources.columns.map((column) => [column, column === 'id' ? id : `x${id}`]));
    await target.replace(trafficSources, ALL, [sourceRow(1), sourceRow(2)]);
    const ones = Object.fromEntries(sessions.columns.map((column) => [column, 1]));
    const counted = { ...ones, page_views: '[[2,"/b"],[3,"/"],[4,"/b"]]' };
    await target.replace(sessions, ALL, [{ ...counted, traffic_source_id: 2 }]);
    await target.replace(trafficSources, ALL, [sourceRow(1)]);
    expect((await raw`SELECT id FROM early_access.traffic_sources ORDER BY id`).map(({ id }) => id)).toEqual([1, 2]);
    const pages = await raw`SELECT traffic_source_id, path, views FROM early_access.analytics_pages ORDER BY path`;
    expect(pages.map(({ traffic_source_id, path, views }) => [traffic_source_id, path, views])).toEqual([
      [2, '/', 1],
      [2, '/b', 2],
    ]);
  });

  it('is not opened in the database of a newer program', async () => {
    const { url, raw } = await opened();
    await raw`UPDATE early_access.schema_steps SET version = 1000`;
    await expect(openCopyTarget(url)).rejects.toThrow('use the newer program');
  });
});
