import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { StorageError } from 'early-access-kit/core';
import { inSlices } from '../../jobs/time-slices.ts';
import { readField } from '../../signup/read-field.ts';

export const MAX_IMPORT_BYTES = 20_000_000;
/** Up to this size a file that is too large is read to its end, because a browser that cannot send the rest does not show the response. */
const MAX_DRAINED_BYTES = 5 * MAX_IMPORT_BYTES;
/** Longer than any line with a person in it. */
const MAX_LINE_BYTES = 40_000;
/** Longer than the first line may be. */
const HEAD_BYTES = 65_536;
/** Parsed together, in about a millisecond. */
const SLICE_BYTES = 4_096;

export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that is in memory. */
export interface CsvFile {
  /** The lines that are not blank. Throws a `StorageError` `invalid` with the line's number if the file is not CSV. */
  lines(): AsyncGenerator<CsvLine, void, void>;
}

/**
 * Reads a CSV in UTF-8 or UTF-16, whose cells are separated by commas, semicolons or tabs, or by the character that a first line `sep=`
 * names. One delimiter holds for the file: the one with which most cells of the first line are `understood`. Throws a `StorageError` if the
 * file is too large.
 */
export async function readCsvFile(
  file: AsyncIterable<Uint8Array>,
  isUnderstood: (cell: string) => boolean,
): Promise<CsvFile> {
  const bytes = await collect(file);
  const head = bytes.subarray(0, HEAD_BYTES);
  const encoding = detectEncoding(head);
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  const named = /^"?sep=(.)"?(?=[\r\n])/i.exec(text);
  const delimiter = named?.[1] ?? detectDelimiter(text, isUnderstood);
  return {
    async *lines() {
      const csv = parse({ ...OPTIONS, delimiter, info: true });
      // It destroys the parser with the error, which the loop below throws.
      pipeline(Readable.from(decode(bytes, encoding)), csv).catch(() => {});
      let isSkipping = named !== null;
      try {
        for await (const row of inSlices(csv)) {
          if (!isSkipping) yield toLine(row);
          isSkipping = false;
        }
      } catch (error) {
        throw error instanceof CsvError ? explain(error) : error;
      }
    },
  };
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

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Without a byte order mark, every other byte of Latin letters in UTF-16 is 0. */
function detectEncoding(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const isZero = (byte: number, index: number, parity: number) => byte === 0 && index % 2 === parity;
  const [even = 0, odd = 0] = [0, 1].map((parity) => head.filter((byte, index) => isZero(byte, index, parity)).length);
  if (even + odd < head.length / 8) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function* decode(bytes: Uint8Array, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: true });
  }
  yield decoder.decode();
}

/** If several have as many cells that are understood, the one with most cells: another may be part of a cell. */
function detectDelimiter(head: string, isUnderstood: (cell: string) => boolean): string {
  const [best = ','] = [',', ';', '\t']
    .map((delimiter) => ({ delimiter, cells: readFirstLine(head, delimiter) }))
    .map(({ delimiter, cells }) => [delimiter, cells.filter(isUnderstood).length, cells.length] as const)
    .sort(([, understoodA, cellsA], [, understoodB, cellsB]) => understoodB - understoodA || cellsB - cellsA)
    .map(([delimiter]) => delimiter);
  return best;
}

function readFirstLine(head: string, delimiter: string): readonly string[] {
  try {
    const [first = []] = parseSync(head, { ...OPTIONS, delimiter, to: 1 });
    return first;
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** A record of the parser, whose types say nothing about it. */
function toLine(row: unknown): CsvLine {
  const [record, info] = [readField(row, 'record'), readField(row, 'info')];
  const line = readField(info, 'lines');
  if (!Array.isArray(record) || typeof line !== 'number') throw new TypeError('the CSV parser returned no record');
  return { line, cells: record.map(String) };
}

function explain({ code, lines }: CsvError): StorageError {
  const line = Number(lines);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return invalidLine(line, `is longer than ${MAX_LINE_BYTES} bytes, or a quote is not closed`);
  if (code === 'CSV_QUOTE_NOT_CLOSED') return invalidLine(line, 'a quote is not closed');
  return invalidLine(line, 'is not CSV');
}

export function invalidLine(line: number, problem: string): StorageError {
  return new StorageError('invalid', `line ${line}: ${problem}`);
}
