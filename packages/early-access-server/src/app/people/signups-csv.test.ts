import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fc } from '@early-access-kit/testkit/fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { countStepsPerTurn } from '../../fixtures/loop-turns.ts';
import { SLICE_MS } from '../jobs/time-slices.ts';
import {
  type FieldColumns,
  fieldColumns,
  listSignupColumns,
  type SignupRow,
  streamSignupsCsv,
  writeSignupsCsv,
} from './signups-csv.ts';

const CREATED_AT = Date.UTC(2026, 2, 1, 14, 10);

function makeRow(fields: Partial<SignupRow>): SignupRow {
  return { email: 'ada@example.org', created_at: CREATED_AT, ...fields };
}

async function writeCsv(rows: readonly SignupRow[], fields: FieldColumns = []): Promise<string> {
  const output = new PassThrough();
  const [csv] = await Promise.all([text(output), writeSignupsCsv(rows, output, fields).then(() => output.end())]);
  return csv;
}

/** The cells of the only signup. */
async function readCells(fields: Partial<SignupRow>): Promise<Record<string, string>> {
  const [record] = parse<Record<string, string>>(await writeCsv([makeRow(fields)]), { columns: true });
  return record ?? {};
}

it('writes a header and one line per signup (RFC 4180)', async () => {
  const rows = [
    makeRow({ source: 'a,b', referrer: 'say "no"', page_url: null, language: 'pt' }),
    makeRow({
      ...{ email: 'bob@example.org', utm_term: 'two\nlines', state: 'bounced', confirmed_at: CREATED_AT + 1_000 },
      ...{ bounced_at: 0, bounced_from: 'joined', consent_text: 'News', mail: { state: 'failed' }, referrals: 3 },
    }),
  ];
  expect(await writeCsv(rows)).toBe(
    [
      '"email","session_id","source","referrer","created_at","page_url","utm_source","utm_medium","utm_campaign","utm_term","utm_content",' +
        '"state","confirmed_at","unsubscribed_at","bounced_at","invited_at","joined_at","bounced_from","consent_text","consent_page","mail_state","confirmed_by","referrals","language","import_id","labels"',
      '"ada@example.org",,"a,b","say ""no""","2026-03-01T14:10:00.000Z",,,,,,,,,,,,,,,,,,,"pt",,',
      '"bob@example.org",,,,"2026-03-01T14:10:00.000Z",,,,,"two\nlines",,"bounced","2026-03-01T14:10:01.000Z",,"1970-01-01T00:00:00.000Z",,,"joined","News",,"failed",,"3",,,',
      '',
    ].join('\r\n'),
  );
});

it('writes only the header if there are no signups', async () => {
  expect(parse(await writeCsv([]))).toEqual([listSignupColumns([])]);
});

describe('fields', () => {
  it('have a column each, and fields that are no longer declared are in the last one', async () => {
    const columns = await fieldColumns(
      { mail: { type: 'checkbox', label: 'Mail' }, company: { type: 'text', label: 'Company' } },
      { haveFields: async () => false },
    );
    const rows = [
      makeRow({ fields: { company: '=1+1;=2', mail: true } }),
      makeRow({ fields: { team: '"a", @b', company: 'Acme', constructor: 'x' } }),
      makeRow({}),
    ];
    const [header, ...records] = parse(await writeCsv(rows, columns));
    expect(header).toEqual(listSignupColumns(['mail', 'company', 'other_fields']));
    expect(records.map((record: string[]) => record.slice(listSignupColumns([]).length - 2, -2))).toEqual([
      ['true', "'=1+1;'=2", ''],
      ['', 'Acme', '{"team":"\\"a\\", @b","constructor":"x"}'],
      ['', '', ''],
    ]);
  });

  it('add no column to a list that never had any, and one if none is declared now', async () => {
    expect(await fieldColumns({}, { haveFields: async () => false })).toEqual([]);
    expect(await fieldColumns({}, { haveFields: async () => true })).toEqual(['other_fields']);
  });
});

describe('formulas', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\r=1', "'\r'=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
    [' =1', "' =1"],
    ['x;=HYPERLINK("https://x.io")', 'x;\'=HYPERLINK("https://x.io")'],
    ['x\t=1', "x\t'=1"],
    ['x\n=1', "x\n'=1"],
    ['x;"=1', 'x;\'"=1'],
    ['x;', "x;'"],
    ['a-b;c=d, +e', 'a-b;c=d, +e'],
    ['https://x.io/@40.7,-74.0?q=1+1', 'https://x.io/@40.7,-74.0?q=1+1'],
  ])('%j is written as %j', async (cell, written) => {
    expect((await readCells({ utm_term: cell })).utm_term).toBe(written);
  });

  it('start no cell, whether the file is split at commas, semicolons or tabs', async () => {
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n', '\r\n') },
      { weight: 3, arbitrary: fc.constantFrom(',', ';', '"', '""', "'", ' ', '\u00a0', '\u0000', '\ufeff') },
      fc.constantFrom('x', '1', '=HYPERLINK("https://x.io";"y")'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    const cell = fc.option(fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')));
    const row = fc
      .record({ email: cell, session_id: cell, source: cell, referrer: cell, utm_content: cell })
      .map(makeRow);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (rows) => {
        const csv = await writeCsv(rows);
        for (const delimiter of [',', ';', '\t']) {
          const lines: string[][] = parse(csv, { delimiter, relax_quotes: true, relax_column_count: true });
          expect(lines.flat().filter(startsFormula)).toEqual([]);
        }
        // A reader that ignores quotes begins a cell at each separator and in each line.
        for (const separators of [/[;\r\n]/, /[\t\r\n]/]) {
          expect(csv.split(separators).filter(startsFormula)).toEqual([]);
        }
        const byComma: string[][] = parse(csv);
        expect(byComma.map((line) => line.length)).toEqual(byComma.map(() => listSignupColumns([]).length));
        expect(byComma).toHaveLength(rows.length + 1);
      }),
      { numRuns: 100 },
    );
  });
});

/** Like a spreadsheet that ignores blanks, invisible characters and quotes before a formula. */
function startsFormula(cell: string): boolean {
  return /^[\t\r]|^[\s\p{C}"]*[=+\-@＝＋－＠]/u.test(cell);
}

describe('a stream', () => {
  it('reads signups no faster than they are written', async () => {
    let read = 0;
    let written = 0;
    let ahead = 0;
    function* rows() {
      for (; read < 10_000; read += 1) yield makeRow({ utm_term: 'x'.repeat(500) });
    }
    const output = new Writable({
      highWaterMark: 1,
      write(chunk, _, done) {
        written += String(chunk).split('\r\n').length - 1;
        ahead = Math.max(ahead, read - written);
        setImmediate(done);
      },
    });
    await writeSignupsCsv(rows(), output);
    expect(written).toBe(10_001);
    expect(ahead).toBeLessThan(500);
  });

  it('ends without an error if its reader closes it', async () => {
    const output = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    await expect(writeSignupsCsv([makeRow({})], output)).resolves.toBeUndefined();
  });

  it('fails if the signups cannot be read or the output cannot be written', async () => {
    const unreadable = Readable.from([makeRow({})]).map(() => Promise.reject(new Error('cannot read')));
    await expect(writeSignupsCsv(unreadable, new PassThrough())).rejects.toThrow('cannot read');
    const full = Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    const unwritable = new Writable({ write: (_chunk, _encoding, done) => done(full) });
    await expect(writeSignupsCsv([makeRow({})], unwritable)).rejects.toThrow('disk full');
  });

  it('begins with a byte order mark and leaves the output open', async () => {
    const output = new PassThrough();
    await writeSignupsCsv([], output);
    expect(output.writableEnded).toBe(false);
    expect(String(output.read())).toBe(
      `\ufeff${listSignupColumns([])
        .map((column) => `"${column}"`)
        .join(',')}\r\n`,
    );
  });
});

describe('a download', () => {
  it('breaks if the signups cannot be read, so that it is not taken for all of them', async () => {
    const unreadable = Readable.from([makeRow({})]).map(() => Promise.reject(new Error('cannot read')));
    await expect(new Response(streamSignupsCsv(unreadable, [])).text()).rejects.toThrow();
  });

  it('lets the event loop turn while it is made, however fast its reader is', async () => {
    const { step, most } = countStepsPerTurn(1);
    function* rows() {
      for (let read = 0; read < 1_000; read += 1) {
        step();
        yield makeRow({});
      }
    }
    await new Response(streamSignupsCsv(rows(), [])).text();
    expect(most()).toBeLessThanOrEqual(SLICE_MS + 1);
  });
});
