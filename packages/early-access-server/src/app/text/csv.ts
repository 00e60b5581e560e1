import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

type CsvRecords = Iterable<object> | AsyncIterable<object>;

/**
 * Writes records as CSV while they are read, and leaves the output open. Rejects if reading or writing fails, but not
 * if the consumer closes the output early (`export | head`).
 */
export async function writeCsv(
  records: CsvRecords,
  columns: readonly string[],
  output: NodeJS.WritableStream,
): Promise<void> {
  try {
    await pipeline(Readable.from(records), createCsv(columns), output, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

/** Creates a CSV stream while records are read. Reads as fast as the consumer, and stops if the stream is cancelled. */
export function streamCsv(records: CsvRecords, columns: readonly string[]): ReadableStream<Uint8Array> {
  const csv = createCsv(columns);
  // If reading fails, the stream is destroyed, so that the consumer sees a failed download instead of an incomplete
  // file.
  pipeline(Readable.from(records), csv).catch((error) => csv.destroy(error));
  const chunks: AsyncIterator<Uint8Array> = csv[Symbol.asyncIterator]();
  // The return type of `Readable.toWeb` is not compatible with the DOM's type.
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void csv.destroy(),
  });
}

/**
 * CSV (RFC 4180) with a header and a byte order mark, which Excel needs to recognize UTF-8. No cell starts a formula,
 * regardless of whether a spreadsheet splits the file at commas, semicolons or tabs.
 */
function createCsv(columns: readonly string[]) {
  return stringify({
    bom: true,
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    quoted: true,
    cast: { date: (date) => date.toISOString(), boolean: String, string: neutralizeFormulas },
  });
}

/** Characters that a spreadsheet may ignore at the start of a cell. */
const IGNORED = String.raw`(?:(?![\t\r\n])[\s\p{C}"])*`;
const FORMULA_START = new RegExp(
  String.raw`(?<=^|[;\t\r\n])(?=${IGNORED}[=+\-@＝＋－＠\t\r])|(?<=[;\t\r\n])(?=${IGNORED}$)`,
  'gu',
);

/**
 * Puts an apostrophe wherever a formula could start. The option `escape_formulas` of csv-stringify only checks a cell's
 * first character. But a spreadsheet that splits the file at semicolons or tabs starts a new cell after each of them
 * and after line breaks, even in quotes, and may read past the end of the cell or line.
 */
function neutralizeFormulas(cell: string): string {
  return cell.replace(FORMULA_START, "'");
}
