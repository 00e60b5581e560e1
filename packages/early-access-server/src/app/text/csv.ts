import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

type CsvRecords = Iterable<object> | AsyncIterable<object>;

/**
 * Writes records as CSV while they are read, and leaves the output open. Rejects if reading or writing fails, but not
 * if the reader of the output closes it early (`export | head`).
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

/**
 * CSV that is made while it is read. Records are read as fast as the reader takes them, and no longer once it has gone.
 */
export function streamCsv(records: CsvRecords, columns: readonly string[]): ReadableStream<Uint8Array> {
  const csv = createCsv(columns);
  // An error of the records destroys the stream, so the reader gets a broken download and never a short one.
  pipeline(Readable.from(records), csv).catch((error) => csv.destroy(error));
  const chunks: AsyncIterator<Uint8Array> = csv[Symbol.asyncIterator]();
  // `Readable.toWeb` has a special type, which programs with the DOM's types do not take for the standard one.
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
 * CSV (RFC 4180) with a header, and a byte order mark, without which Excel does not read UTF-8. No cell starts a
 * formula, whether a spreadsheet splits the file at commas, semicolons or tabs.
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
 * Puts an apostrophe wherever a formula could start. `escape_formulas` of csv-stringify only looks at a cell's first
 * character, but a spreadsheet that splits the file at semicolons or tabs starts a cell after each of them and after a
 * line break, in quotes or not. After the last one it reads on into the next cell or line.
 */
function neutralizeFormulas(cell: string): string {
  return cell.replace(FORMULA_START, "'");
}
