import { ATTRIBUTION_FIELDS, type FieldDeclarations, type SignupFields } from 'early-access-kit/internal';
import { inSlices } from '../jobs/time-slices.ts';
import { STATE_TIMES } from '../lifecycle/states.ts';
import type { MailState } from '../mail/message-state.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import { streamCsv, writeCsv } from '../text/csv.ts';
import { joinLabels } from './labels.ts';

/** Append new columns at the end, because some readers address columns by number. */
const SIGNUP_COLUMNS = [
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

/** The values of fields that are no longer declared, as JSON. */
const OTHER_FIELDS = 'other_fields';

const TIME_COLUMNS = ['created_at', ...STATE_TIMES] as const;
const TEXT_COLUMNS = [
  ...(['email', 'session_id', 'source', 'referrer', 'state', 'bounced_from', 'confirmed_by'] as const),
  ...(['consent_text', 'consent_page', 'language', 'import_id'] as const),
  ...ATTRIBUTION_FIELDS,
] as const;
/** A signup to export. Properties without a column are ignored. */
export type SignupRow = { readonly [column in (typeof TEXT_COLUMNS)[number]]?: string | null } & {
  readonly [column in (typeof TIME_COLUMNS)[number]]?: number | null;
} & {
  readonly fields?: SignupFields;
  readonly mail?: { readonly state: MailState } | null;
  readonly referrals?: number;
  readonly labels?: readonly string[];
};

type SignupRows = Iterable<SignupRow> | AsyncIterable<SignupRow>;

/** The columns of the host's own fields: one per declared field, and one for all others if there can be any. */
export type FieldColumns = readonly string[];

/** A list that never had fields gets no extra columns. */
export async function fieldColumns(
  declarations: FieldDeclarations,
  people: Pick<PeopleStore, 'haveFields'>,
): Promise<FieldColumns> {
  const declared = Object.keys(declarations);
  return declared.length > 0 || (await people.haveFields()) ? [...declared, OTHER_FIELDS] : [];
}

/** Writes signups as CSV while they are read. */
export function writeSignupsCsv(
  rows: SignupRows,
  output: NodeJS.WritableStream,
  fields: FieldColumns = [],
): Promise<void> {
  return writeCsv(toRecords(rows, fields), listSignupColumns(fields), output);
}

/** Creates a CSV stream while the signups are read. */
export function streamSignupsCsv(rows: SignupRows, fields: FieldColumns): ReadableStream<Uint8Array> {
  return streamCsv(toRecords(rows, fields), listSignupColumns(fields));
}

/** The columns of a file, in order. New releases append columns, because programs may read columns by position. */
export function listSignupColumns(fields: FieldColumns): readonly string[] {
  return [...SIGNUP_COLUMNS, ...fields, 'import_id', 'labels'];
}

async function* toRecords(rows: SignupRows, columns: FieldColumns): AsyncGenerator<Record<string, unknown>> {
  for await (const { fields = {}, mail, referrals, labels = [], ...row } of inSlices(rows)) {
    const record: Record<string, unknown> = { mail_state: mail?.state, referrals, labels: joinLabels(labels) };
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
