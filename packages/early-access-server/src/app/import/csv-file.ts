import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { isValidEmail, StorageError } from 'early-access-kit/core';
import { inSlices } from '../jobs/time-slices.ts';
import { readField } from '../text/read-field.ts';

export const MAX_IMPORT_BYTES = 20_000_000;
/**
 * Files that are too large are still read to the end up to this size, because browsers do not show a response while
 * they cannot finish sending.
 */
const MAX_DRAINED_BYTES = 5 * MAX_IMPORT_BYTES;
const MAX_LINE_BYTES = 40_000;
/** The first line must fit in this. */
const HEAD_BYTES = 65_536;
const MAX_HEAD_LINES = 50;
/** Parsed without a break, in about a millisecond. */
const SLICE_BYTES = 4_096;

export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFile {
  /** The name of the encoding if it is neither UTF-8 nor UTF-16. */
  readonly encoding: string | null;
  /**
   * All lines that are not blank. Throws a `StorageError` with code `invalid` and the line's number if the file is not
   * valid CSV.
   */
  lines(): AsyncGenerator<CsvLine, void, void>;
}

/**
 * Reads a CSV in UTF-8 or UTF-16, or in another encoding if that makes unreadable column names recognizable. Cells are
 * separated by commas, semicolons or tabs, or by the character in a first line `sep=`. The delimiter is the one for
 * which a line near the start has the most cells that are `understood`. Throws a `StorageError` if the file is too
 * large, or if its column names are unreadable.
 */
export async function readCsvFile(
  file: AsyncIterable<Uint8Array>,
  isUnderstood: (cell: string) => boolean,
): Promise<CsvFile> {
  const bytes = await collect(file);
  const detected = detectEncoding(bytes.subarray(0, HEAD_BYTES));
  const head = readHead(bytes, detected, isUnderstood);
  const repaired = detected === 'utf-8' ? repairNames(bytes, head, isUnderstood) : null;
  const encoding = repaired ?? detected;
  const { delimiter, hasSeparatorLine } = head;
  return {
    encoding: repaired,
    async *lines() {
      const csv = parse({ ...OPTIONS, delimiter, info: true });
      // On failure, `pipeline` destroys the parser with the error, which the loop below throws.
      pipeline(Readable.from(decode(bytes, encoding)), csv).catch(() => {});
      let isSkipping = hasSeparatorLine;
      try {
        for await (const row of inSlices(csv)) {
          if (!isSkipping) yield toLine(row);
          isSkipping = false;
        }
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        throw explain(error, await findOpenQuote(decode(bytes, encoding), delimiter, error));
      }
    },
  };
}

/** The lines at the start of a file, up to the first one that contains an address. */
interface Head {
  readonly lines: readonly (readonly string[])[];
  readonly delimiter: string;
  readonly hasSeparatorLine: boolean;
}

function readHead(bytes: Uint8Array, encoding: string, isUnderstood: (cell: string) => boolean): Head {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES), { stream: true });
  const named = /^"?sep=(.)"?(?=[\r\n])/i.exec(text);
  const heads = (named?.[1] === undefined ? [',', ';', '\t'] : [named[1]]).map((delimiter) => {
    const lines = readFirstLines(text, delimiter).slice(named === null ? 0 : 1);
    const rated = lines.map((cells) => ({ understood: cells.filter(isUnderstood).length, cells: cells.length }));
    // On a tie, the delimiter that gives the most cells wins: the others may be characters within cells.
    const [best = { understood: 0, cells: 0 }] = rated.sort((a, b) => b.understood - a.understood || b.cells - a.cells);
    return { delimiter, lines, hasSeparatorLine: named !== null, ...best };
  });
  const [head] = heads.sort((a, b) => b.understood - a.understood || b.cells - a.cells);
  return head ?? { delimiter: ',', lines: [], hasSeparatorLine: false };
}

/** Encodings other than Unicode that spreadsheets write in the form's languages. */
const OTHER_ENCODINGS = ['Shift_JIS', 'GB18030', 'Big5', 'Windows-1252', 'Windows-1250', 'Windows-1256'];

/**
 * Finds the encoding of a file whose column names are unreadable in UTF-8; null if they are readable. It is certain if
 * it turns unreadable words into a known name. Otherwise a `StorageError` suggests the most plausible encoding, because an
 * unreadable name may be about consent.
 */
function repairNames(bytes: Uint8Array, head: Head, isUnderstood: (cell: string) => boolean): string | null {
  const lines = head.lines.filter((cells) => !cells.some((cell) => cell.includes('@') && isUnderstood(cell)));
  const damaged = lines.flatMap((cells, line) =>
    cells.flatMap((cell, at) => (cell.includes('\ufffd') ? [{ line, at }] : [])),
  );
  if (damaged.length === 0) return null;
  if (canDecode(bytes, 'utf-8')) {
    throw new StorageError('invalid', 'the names of the columns are damaged; export the file again as CSV UTF-8');
  }
  const fitting = OTHER_ENCODINGS.flatMap((name) => {
    if (!canDecode(bytes, name)) return [];
    const other = readHead(bytes, name, isUnderstood).lines;
    const cells = damaged.map(({ line, at }) => other[line]?.[at] ?? '');
    if (!cells.every(isPlausible)) return [];
    // Only the words that were unreadable say something about the encoding.
    const understood = cells.filter((cell) => isUnderstood(findWords(cell).filter(isNotAscii).join(' '))).length;
    return [{ name, understood, mixed: cells.filter(mixesScripts).length }];
  });
  const [best] = fitting.sort((a, b) => b.understood - a.understood || a.mixed - b.mixed);
  if (best !== undefined && best.understood > 0) return best.name;
  const reason = best === undefined ? 'are damaged' : `are not UTF-8, but probably ${best.name}`;
  throw new StorageError('invalid', `the names of the columns ${reason}; save the file as CSV UTF-8`);
}

function canDecode(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether each word of a name uses a single script. Text in a wrong encoding rarely does. */
function isPlausible(cell: string): boolean {
  const hasOthers = /[^\p{L}\p{M}\p{N}\p{P}\s]/u.test(cell.replace(/[ -~]/g, ''));
  return !hasOthers && !findWords(cell).some(mixesScripts);
}

function findWords(cell: string): readonly string[] {
  return cell.match(/[\p{L}\p{M}]+/gu) ?? [];
}

function isNotAscii(text: string): boolean {
  return /[^ -~]/.test(text);
}

function mixesScripts(text: string): boolean {
  return /\p{sc=Latin}/u.test(text) && /[^\p{sc=Latin}\P{L}]/u.test(text);
}

const OPTIONS: Options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  max_record_size: MAX_LINE_BYTES,
};

async function collect(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > MAX_IMPORT_BYTES) chunks.length = 0;
    else chunks.push(chunk);
    if (bytes > MAX_DRAINED_BYTES) break;
  }
  if (bytes <= MAX_IMPORT_BYTES) return Buffer.concat(chunks);
  throw new StorageError('invalid', `the file is larger than ${MAX_IMPORT_BYTES / 1e6} MB; split it`);
}

/** Without a byte order mark, UTF-16 is recognized because every other byte of Latin letters is 0. */
function detectEncoding(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const isZero = (byte: number, index: number, parity: number) => byte === 0 && index % 2 === parity;
  const [even = 0, odd = 0] = [0, 1].map((parity) => head.filter((byte, index) => isZero(byte, index, parity)).length);
  if (even + odd < head.length / 8) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function* decode(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: true });
  }
  yield decoder.decode();
}

/** Returns at most 50 lines, up to the first one with an address. The head may end in the middle of a cell. */
function readFirstLines(head: string, delimiter: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  try {
    parseSync(head, {
      ...OPTIONS,
      delimiter,
      to: MAX_HEAD_LINES,
      on_record: (record: string[]) => {
        lines.push(record);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  const first = lines.findIndex((cells) => cells.some(isValidEmail));
  return first === -1 ? lines : lines.slice(0, first + 1);
}

/** Validates the parser's output, which is not typed. */
function toLine(row: unknown): CsvLine {
  const [record, info] = [readField(row, 'record'), readField(row, 'info')];
  const line = readField(info, 'lines');
  if (!Array.isArray(record) || typeof line !== 'number') throw new TypeError('the CSV parser returned no record');
  return { line, cells: record.map(String) };
}

/** `quoteLine`: where the quote was opened that was open at the error; null if none was. */
function explain({ code, lines }: CsvError, quoteLine: number | null): StorageError {
  if (quoteLine !== null) {
    const orLong = code === 'CSV_MAX_RECORD_SIZE' ? `, or the cell is longer than ${MAX_LINE_BYTES} bytes` : '';
    return invalidLine(quoteLine, `a quote is not closed${orLong}`);
  }
  const isLong = code === 'CSV_MAX_RECORD_SIZE';
  return invalidLine(Number(lines), isLong ? `is longer than ${MAX_LINE_BYTES} bytes` : 'is not CSV');
}

/**
 * Returns the line of the quote that is open where the parser stopped; null if none is. The parser only says where it
 * stopped. As with its `relax_quotes`, a quote opens a cell at its start only, and one that neither ends the cell nor is
 * doubled makes the whole cell plain text.
 */
async function findOpenQuote(text: Iterable<string>, delimiter: string, { code, lines }: CsvError) {
  const end = code === 'CSV_QUOTE_NOT_CLOSED' ? Number.POSITIVE_INFINITY : Number(lines);
  let [line, openedAt] = [1, 0];
  let state: 'start' | 'plain' | 'quoted' | 'quote in quoted' = 'start';
  let before = '';
  for await (const part of inSlices(text)) {
    for (const character of part) {
      const isLineEnd = character === '\n' || character === '\r';
      const isSecondOfPair = character === '\n' && before === '\r';
      before = character;
      if (isSecondOfPair) continue;
      if (state === 'quoted') {
        if (character === '"') state = 'quote in quoted';
      } else if (character === '"' && state !== 'plain') {
        if (state === 'start') openedAt = line;
        state = 'quoted';
      } else state = isLineEnd || character === delimiter ? 'start' : 'plain';
      if (isLineEnd) line += 1;
      if (line > end) return state === 'quoted' ? openedAt : null;
    }
  }
  return state === 'quoted' ? openedAt : null;
}

export function invalidLine(line: number, problem: string): StorageError {
  return new StorageError('invalid', `line ${line}: ${problem}`);
}
