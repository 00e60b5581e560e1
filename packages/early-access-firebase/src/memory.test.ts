import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sessionOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { DAY_MS } from 'early-access-kit/internal';
import { toSessionSource } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import type { Part } from './firestore/analytics/archive.ts';
import { pack, type Row } from './firestore/analytics/rows.ts';
import { MEMORY } from './functions/create-functions.ts';

const PROGRAM = path.join(import.meta.dirname, 'fixtures/read-two-weeks.ts');
const PER_MONTH = 10_000_000;
const TWO_WEEKS = Math.floor((PER_MONTH * 14) / 30);
const MEGABYTES = { '1GiB': 1_024, '256MiB': 256 };
/** Close to the maximum of a document. */
const ROWS_PER_PART = 120_000;

const sources = Array.from({ length: 2_000 }, (_, index) =>
  toSessionSource({
    ...sessionOf(),
    referrer: index % 3 === 0 ? `https://site-${index % 300}.example/` : null,
    landing_path: `/page-${index % 40}`,
    utm_source: `source-${index % 20}`,
  }),
);
const hash = (index: number) => Math.imul(index, 2_654_435_761) >>> 0;

function rowOf(index: number): Row {
  const random = hash(index);
  return {
    at: Math.floor((index * 30 * DAY_MS) / PER_MONTH),
    visitor: hash(random % (PER_MONTH * 0.7)),
    previous: null,
    trafficSource: sources[random % sources.length] ?? expect.fail('no traffic source'),
    views: random % 2 === 0 ? [] : [`/page-${random % 40}`],
    duration: random % 300,
    bounce: random % 2 === 0,
    engaged: random % 3 === 0,
    joined: false,
  };
}

it('the functions that read the archive have enough memory for the weekly email with ten million sessions a month', () => {
  const folder = tempFolder();
  const parts: Part[] = [];
  for (let start = 0; start < TWO_WEEKS; start += ROWS_PER_PART) {
    const rows = Array.from({ length: Math.min(ROWS_PER_PART, TWO_WEEKS - start) }, (_, index) => rowOf(start + index));
    for (const packed of pack(rows)) {
      const id = String(parts.length);
      writeFileSync(path.join(folder, id), packed.bytes);
      parts.push({ id, kind: 'sessions', from: packed.rows[0]?.at ?? 0, to: packed.rows.at(-1)?.at ?? 0 });
    }
  }
  writeFileSync(path.join(folder, 'parts.json'), JSON.stringify(parts));
  const limit = MEGABYTES[MEMORY.archive];
  // The rest is for requests to Firestore and the process itself.
  const printed = execFileSync(process.execPath, [`--max-old-space-size=${limit / 2}`, PROGRAM, folder], {
    encoding: 'utf8',
  });
  const { sessions, megabytes } = JSON.parse(printed);
  expect(sessions[0] + sessions[1]).toBe(TWO_WEEKS);
  expect(megabytes).toBeLessThan(0.75 * limit);
});

it('all other functions have enough memory for their modules and requests', () => {
  const folder = tempFolder();
  writeFileSync(path.join(folder, 'parts.json'), '[]');
  const { megabytes } = JSON.parse(execFileSync(process.execPath, [PROGRAM, folder], { encoding: 'utf8' }));
  expect(megabytes).toBeLessThan(0.75 * MEGABYTES[MEMORY.others]);
});
