import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { ATTRIBUTION_FIELDS, type FieldDeclarations, type SignupFields } from 'early-access-kit/core';
import { inSlices } from '../jobs/time-slices.ts';
import type { MailState } from '../mail/message-state.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import { STATE_TIMES } from './states.ts';

/** Add new columns at the end, because some readers address columns by number. */
export const SIGNUP_COLUMNS = [
  'email',
  'session_id',
  'source',
  'referrer',
  'created_at',
  ...ATTRIBUTION_FIELDS,
  'state',
  ...STATE_TIMES,
  'bounced_from',
  'consent_text',
  'consent_page',
  'mail_state',
  'confirmed_by',
  'referrals',
  'language',
] as const;

/** The last column: the values of fields that are no longer declared, as JSON. */
const OTHER_FIELDS = 'other_fields';

const TIME_COLUMNS = ['created_at', ...STATE_TIMES] as const;
const TEXT_COLUMNS = [
  ...(['email', 'session_id', 'source', 'referrer', 'state', 'bounced_from', 'confirmed_by'] as const),
  ...(['consent_text', 'consent_page', 'language'] as const),
  ...ATTRIBUTION_FIELDS,
] as const;
/** A signup to export. What is not a column is left out. */
export type SignupRow = { readonly [column in (typeof TEXT_COLUMNS)[number]]?: string | null } & {
  readonly [column in (typeof TIME_COLUMNS)[number]]?: number | null;
} & {
  readonly fields?: SignupFields;
  readonly mail?: { readonly state: MailState } | null;
  readonly referrals?: number;
};

type SignupRows = Iterable<SignupRow> | AsyncIterable<SignupRow>;

/** The columns of the host's own fields: one for each that is declared, and one for all others, if there can be any. */
export type FieldColumns = readonly string[];

/** A list that never had fields gets no column more. */
export async function fieldColumns(
  declarations: FieldDeclarations,
  people: Pick<PeopleStore, 'haveFields'>,
): Promise<FieldColumns> {
  const declared = Object.keys(declarations);
  return declared.length > 0 || (await people.haveFields()) ? [...declared, OTHER_FIELDS] : [];
}

/**
 * Writes signups as CSV while they are read, and leaves the output open. Rejects if reading or writing fails, but not if the reader of
 * the output closes it early (`export | head`).
 */
export async function writeSignupsCsv(
  rows: SignupRows,
  output: NodeJS.WritableStream,
  fields: FieldColumns = [],
): Promise<void> {
  try {
    await pipeline(Readable.from(toRecords(rows, fields)), createCsv(fields), output, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

/** Signups as CSV that is made while it is read. Rows are read as fast as the reader takes them, and no longer once it has gone. */
export function streamSignupsCsv(rows: SignupRows, fields: FieldColumns): ReadableStream<Uint8Array> {
  const csv = createCsv(fields);
  // An error of the rows destroys the stream, so the reader gets a broken download and never a short one.
  pipeline(Readable.from(toRecords(rows, fields)), csv).catch((error) => csv.destroy(error));
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

async function* toRecords(rows: SignupRows, columns: FieldColumns): AsyncGenerator<Record<string, unknown>> {
  for await (const { fields = {}, mail, referrals, ...row } of inSlices(rows)) {
    const record: Record<string, unknown> = { mail_state: mail?.state, referrals };
    for (const column of TEXT_COLUMNS) record[column] = row[column];
    for (const column of TIME_COLUMNS) record[column] = toDate(row[column]);
    const others = new Map(Object.entries(fields));
    for (const name of columns) {
      record[name] = fields[name];
      others.delete(name);
    }
    if (others.size > 0) record[OTHER_FIELDS] = JSON.stringify(Object.fromEntries(others));
    yield record;
  }
}

function toDate(time: number | null | undefined): Date | null {
  return time == null ? null : new Date(time);
}

/** CSV (RFC 4180) with a header, and a byte order mark, without which Excel does not read UTF-8. No cell starts a formula, whether a spreadsheet splits the file at commas, semicolons or tabs. */
function createCsv(fields: FieldColumns) {
  return stringify({
    bom: true,
    header: true,
    columns: [...SIGNUP_COLUMNS, ...fields],
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
 * Puts an apostrophe wherever a formula could start. `escape_formulas` of csv-stringify only looks at a cell's first character,
 * but a spreadsheet that splits the file at semicolons or tabs starts a cell after each of them and after a line break, in
 * quotes or not. After the last one it reads on into the next cell or line.
 */
function neutralizeFormulas(cell: string): string {
  return cell.replace(FORMULA_START, "'");
}
