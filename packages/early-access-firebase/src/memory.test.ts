import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { DAY_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import type { Part } from './firestore/analytics/archive.ts';
import { pack } from './firestore/analytics/rows.ts';
import { sessionRowOf } from './fixtures/archive-rows.ts';
import { MEMORY } from './functions/create-functions.ts';

const PROGRAM = path.join(import.meta.dirname, 'fixtures/read-two-weeks.ts');
const PER_MONTH = 10_000_000;
const TWO_WEEKS = Math.floor((PER_MONTH * 14) / 30);
const MEGABYTES = { '1GiB': 1_024, '256MiB': 256 };
/** Close to the maximum of a document. */
const ROWS_PER_PART = 120_000;

it('the functions that read the archive have enough memory for the weekly email at ten million sessions a month', () => {
  const folder = tempFolder();
  const parts: Part[] = [];
  for (let start = 0; start < TWO_WEEKS; start += ROWS_PER_PART) {
    const rows = Array.from({ length: Math.min(ROWS_PER_PART, TWO_WEEKS - start) }, (_, index) =>
      sessionRowOf(start + index, Math.floor(((start + index) * 30 * DAY_MS) / PER_MONTH), PER_MONTH * 0.7),
    );
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
