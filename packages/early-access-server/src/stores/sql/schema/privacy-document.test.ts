import { readFileSync } from 'node:fs';
import { DAY_MS, SIGNUP_KEY } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { DEFAULT_RETENTION_DAYS } from '../../../app/jobs/retention.ts';
import { PENDING_MS } from '../../../app/lifecycle/states.ts';
import { DELIVERY_LOG_MS } from '../../../app/ports/webhook-store.ts';
import { tempStore } from '../../../fixtures/temp-store.ts';
import { adminCookie } from '../../../http/admin/admin-cookie.ts';

const ROOT = new URL('../../../../../../', import.meta.url);
const DOCUMENT = readFileSync(new URL('docs/privacy.md', ROOT), 'utf8');
/** Tables that only SQLite has. They add nothing about a person: sums, and an index of the addresses. */
const OF_SQLITE = /^(sqlite_|totals$|backups$|unsearched_signups$|signup_search)/;

const listNames = (markdown: string) => Array.from(markdown.matchAll(/`(\w+)`/g), ([, name = '']) => name);

/** The tables of the document's first table, each with the fields that the list below it names. */
function readDocumented(): Record<string, string[]> {
  const [table = ''] = DOCUMENT.match(/\| table[\s\S]*?\n\n/) ?? [];
  const tables = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name = '']) => name);
  const fields = new Map(
    Array.from(DOCUMENT.matchAll(/^- `(\w+)`: (`.*(?:\n {2}`.*)*)/gm), ([, name, list = '']) => [
      name,
      listNames(list),
    ]),
  );
  return Object.fromEntries(tables.map((name) => [name, fields.get(name) ?? []]));
}

/** The tables of the database that the schema makes. */
function readStored(): Record<string, string[]> {
  const { raw } = tempStore();
  const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const names = tables.map(({ name }) => String(name)).filter((name) => !OF_SQLITE.test(name));
  const readColumns = (name: string) => raw.prepare('SELECT name FROM pragma_table_info(?)').all(name);
  const stored = names.map((name) => [name, readColumns(name).map((column) => String(column.name))] as const);
  return Object.fromEntries(stored);
}

it('docs/privacy.md names every table, and every field of the tables about visitors, people and admins', () => {
  const [documented, stored] = [readDocumented(), readStored()];
  const sums = listNames(/^These tables contain no data[^:]*:\s([^.]*)\.$/m.exec(DOCUMENT)?.[1] ?? '');
  expect([...Object.keys(documented), ...sums].sort()).toEqual(Object.keys(stored).sort());
  for (const [table, fields] of Object.entries(documented)) {
    expect([table, fields.toSorted()]).toEqual([table, stored[table]?.toSorted()]);
  }
});

it('docs/privacy.md states the times after which data is deleted', () => {
  expect(DOCUMENT).toContain(`${DEFAULT_RETENTION_DAYS} days (\`RETENTION_DAYS\`)`);
  expect(DOCUMENT).toContain(`deleted after ${DEFAULT_RETENTION_DAYS} days`);
  expect(DOCUMENT).toContain(`${PENDING_MS / DAY_MS} days after the signup if they never confirm`);
  expect(DOCUMENT).toContain(`${DELIVERY_LOG_MS / DAY_MS} days, or with the person`);
});

it('docs/privacy.md names what browsers store', () => {
  const [, table = ''] = DOCUMENT.split('## What is stored in the browser');
  const names = listNames(table.split('\n## ')[0] ?? '').filter((name) => name !== 'localStorage');
  const kit = (file: string) => readFileSync(new URL(`packages/early-access-kit/src/${file}`, ROOT), 'utf8');
  const dashboard = readFileSync(new URL('packages/dashboard/src/overview/first-steps-dismissed.ts', ROOT), 'utf8');
  const sources = ['tracker/visitor.ts', 'tracker/stored-session.ts', 'own-visits.ts', 'admin/stored-admin-email.ts']
    .map(kit)
    .join(dashboard);
  const keys = new Set(
    Array.from(sources.matchAll(/localStorage\.(\w+) (?:\?\?)?=|KEY = '(\w+)'/g), ([, one, other]) => one ?? other),
  );
  expect(new Set(names)).toEqual(new Set([...keys, SIGNUP_KEY, adminCookie(false).name]));
  expect(DOCUMENT).toContain(`\`${adminCookie(true).name}\``);
});
