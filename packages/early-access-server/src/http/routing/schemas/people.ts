import * as z from 'zod';
import type { StoredSession } from '../../../app/analytics/country.ts';
import { IMPORT_FIELDS } from '../../../app/import/import-fields.ts';
import { DATE_ORDERS } from '../../../app/import/parse-time.ts';
import type { ImportEvent, ImportReport } from '../../../app/import/run-import.ts';
import { VALUE_MEANINGS } from '../../../app/import/value-meanings.ts';
import { CONFIRMATIONS, PERSON_STATES } from '../../../app/lifecycle/states.ts';
import { MESSAGE_KINDS } from '../../../app/mail/message-kinds.ts';
import { MAIL_STATES } from '../../../app/mail/message-state.ts';
import { BULK_ACTIONS, BULK_STATES, type BulkJob } from '../../../app/people/bulk.ts';
import { MAX_CONSENT_LENGTH } from '../../../app/people/consent.ts';
import { MAX_LABEL_LENGTH, MAX_LABELS, parseLabel } from '../../../app/people/labels.ts';
import {
  MAX_BULK,
  MAX_PAGE,
  MAX_SEARCH_LENGTH,
  PEOPLE_SORTS,
  type PeopleCount,
  type Person,
  type PersonRecord,
} from '../../../app/people/people.ts';
import { CAUSES, TIMELINE_EVENTS, type TimelineEntry } from '../../../app/people/timeline.ts';
import { type ImportRecord, MAX_IMPORT_NAME } from '../../../app/ports/list-store.ts';
import {
  count,
  createEnum,
  dayParam,
  type Output,
  record,
  text,
  time,
  wholeNumber,
  wholeNumberParam,
} from '../openapi/schema.ts';
import { importId, segment } from './segments.ts';
import { personReferrals } from './share.ts';
import { campaign, email, start, totals } from './visitors.ts';

const MAX_ID_LENGTH = 100;
const MAX_SOURCE_LENGTH = 1_000;
const MAX_CURSOR_LENGTH = 2_000;
const MAX_FILE_NAME_LENGTH = 1_000;

const conditions = {
  state: createEnum(PERSON_STATES).optional(),
  mail: createEnum([...MAIL_STATES, 'none'])
    .describe('State of the last email apart from campaigns; `none` for people without one.')
    .optional(),
  import: importId.describe('The id of the import that has added them.').optional(),
  from: dayParam().describe('The first day of signups, in `zone`.').optional(),
  to: dayParam().describe('The last day of signups, in `zone`.').optional(),
  zone: text(64).describe('An IANA time zone such as `Europe/Berlin`. UTC by default.').optional(),
};
/** They may be addresses, so they are in a body: URLs are logged. */
const texts = {
  search: text(MAX_SEARCH_LENGTH).describe('Part of the address or of a value of a field, in any case.').optional(),
  source: text(MAX_SOURCE_LENGTH).describe('The `source` of the form.').optional(),
  segment: segment.describe('Further conditions.').optional(),
};
const page = {
  sort: createEnum(PEOPLE_SORTS).default('newest'),
  limit: wholeNumberParam(1, MAX_PAGE).default(50),
  after: text(MAX_CURSOR_LENGTH).describe('`next` of the page before.').optional(),
};

/** Strict: a condition with a wrong name would hold for everyone. */
const ONLY_THESE = { error: 'has an unknown condition' };
const URL_ONLY = { error: 'has an unknown condition; search, source and segment are taken in the body of a POST' };

export const filterParams = z.strictObject(conditions, URL_ONLY);
export const peopleParams = z.strictObject({ ...conditions, ...page }, URL_ONLY);
export const peopleFilter = z.strictObject({ ...texts, ...conditions }, ONLY_THESE);
export type PeopleFilterInput = z.output<typeof peopleFilter>;
export const peopleQuery = z.strictObject({ ...texts, ...conditions, ...page }, ONLY_THESE);
export type PeopleQueryInput = z.output<typeof peopleQuery>;
/** Who is meant, in a body with more than that. */
export const whom = peopleFilter.default({});

const idsError = `must list 1 to ${MAX_BULK} people`;
/** The people that an action applies to, without duplicates. */
export const ids = z
  .array(z.string({ error: idsError }).max(MAX_ID_LENGTH, { error: idsError }), { error: idsError })
  .min(1, { error: idsError })
  .max(MAX_BULK, { error: idsError })
  .transform((list): readonly string[] => [...new Set(list)]);
export const idsBody = z.object({ ids });

const signupFields = z
  .record(z.string(), z.union([z.string(), z.literal(true)]))
  .describe('By field name, including fields that are no longer declared: a text, or true for a checked box.');

const personFields = {
  id: z.string().describe('Never given to another person.'),
  email: z.string(),
  session_id: z.string().nullable().describe('The session in which they signed up, whether or not it is stored.'),
  source: z.string(),
  referrer: z.string().nullable(),
  page_url: z.string().exactOptional(),
  ...campaign,
  created_at: time,
  state: z.enum(PERSON_STATES),
  confirmed_at: time.nullable(),
  unsubscribed_at: time.nullable().describe('Set even for people who have signed up again since.'),
  bounced_at: time.nullable(),
  bounced_from: z.enum(PERSON_STATES).nullable().describe('The state in which the address bounced.'),
  confirmed_by: z
    .enum(CONFIRMATIONS)
    .nullable()
    .describe('The kind of the email whose link confirmed the address. Null: it is not confirmed, or not known.'),
  invited_at: time.nullable(),
  joined_at: time.nullable(),
  consent_text: z.string().nullable().describe('The words they agreed to.'),
  consent_page: z.string().nullable().describe('The address of the page that showed them.'),
  referrals: count.describe('Their referrals that count.'),
  fields: signupFields.exactOptional(),
  mail: z
    .object({
      kind: z.enum(MESSAGE_KINDS),
      state: z.enum(MAIL_STATES),
      attempts: count,
      reason: z.string().nullable(),
      next_attempt_at: time,
      changed_at: time,
    })
    .nullable()
    .describe('The last email apart from campaigns and corrections.'),
  labels: z
    .array(z.string())
    .exactOptional()
    .describe('What admins have marked them with; left out if there are none.'),
  resends: z.enum(MESSAGE_KINDS).nullable().describe('The email that they get if an admin sends again. Null: none.'),
};
const person = record<Person>()('Person', personFields);

const session = record<StoredSession>()('Session', {
  id: z.string(),
  ...start,
  ...totals,
  session_end: time.nullable(),
  referrer: z.string().nullable(),
  is_bounce: z.boolean(),
  country: z.string().exactOptional().describe('Two letters of ISO 3166, if it is known.'),
});

const timelineEntry = record<TimelineEntry>()('TimelineEntry', {
  at: time,
  event: z
    .enum(TIMELINE_EVENTS)
    .describe(
      '`retry`: restored after a bounce. `ask-correction`: another address was entered, which `correct` confirmed.',
    ),
  by: z
    .enum(CAUSES)
    .nullable()
    .describe('Who or what did it: the kind of the email whose link was opened, an admin, a file. Null: not known.'),
  email: z
    .object({
      kind: z.enum(MESSAGE_KINDS),
      state: z.enum(MAIL_STATES),
      reason: z.string().nullable(),
      subject: z.string().nullable().describe('Of a campaign.'),
    })
    .nullable()
    .describe('The email, if the event is one; `at` is when it came into its state.'),
});

export const personRecord = record<PersonRecord>()('PersonRecord', {
  ...personFields,
  session: session.nullable().describe('The session in which they signed up, as long as it is stored.'),
  page_views: z.array(z.string()).describe('The paths that the session viewed after its first page.'),
  import_id: z.string().nullable().describe('The id of the import that has added them. Null: none has.'),
  language: z.string().nullable().describe('In which they signed up, such as `pt`. Null: not known.'),
  new_email: z.string().nullable().describe('The address that was entered instead, until its owner confirms it.'),
  share: personReferrals.describe('Who referred them, and their referrals.'),
  timeline: z.array(timelineEntry).describe('The oldest first: at most the newest 100 events and 100 emails.'),
});

export const peoplePage = z.object({
  people: z.array(person),
  next: z.string().nullable().describe('Send it as `after` for the page that follows. Null at the end.'),
});
export type PeopleResponse = Output<typeof peoplePage>;

export const counted = record<PeopleCount>()('PeopleCount', {
  count,
  is_partial: z.boolean().describe('Whether only the newest people were looked at, so that there may be more.'),
});
export type CountResponse = Output<typeof counted>;
export const labelList = z.object({ labels: z.array(z.string()).describe('Sorted.') });
export type LabelsResponse = Output<typeof labelList>;
export const sourceList = z.object({ sources: z.array(z.string()) });

export const bulkResults = z.object({
  results: z
    .array(
      z.object({
        id: z.string(),
        result: z
          .enum(['done', 'gone', 'being-sent', 'not-traceless', 'unsubscribed', 'no-email', 'too-many'])
          .describe(
            '`too-many`: they would have too many labels. `gone`: already erased. `being-sent`: an email is on its way, try again in a minute. `no-email`: there is none to send again.',
          ),
      }),
    )
    .describe('In the order of the ids.'),
});
export type BulkResponse = Output<typeof bulkResults>;
export type BulkResult = BulkResponse['results'][number]['result'];

const labelError = `must be texts of at most ${MAX_LABEL_LENGTH} characters without commas, at most ${MAX_LABELS}`;
const labelNames = z
  .array(
    z.string({ error: labelError }).transform((text, context) => {
      const label = parseLabel(text);
      if (label === null) context.addIssue({ code: 'custom', message: labelError });
      return label ?? z.NEVER;
    }),
    { error: labelError },
  )
  .max(MAX_LABELS, { error: labelError })
  .default([]);
const labelChange = {
  add: labelNames.describe('Labels to add.'),
  remove: labelNames.describe('Labels to remove.'),
};
const isChange = ({ add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] }) =>
  add.length + remove.length > 0;
const noChange = { error: 'must have labels', path: ['add'] };
export const labelsBody = z.object({ ids, ...labelChange }).refine(isChange, noChange);

/** The number of people that the admin has seen. */
const seen = wholeNumber(1, Number.MAX_SAFE_INTEGER).describe(
  'How many match, as `/people/count` says. If it differs, nothing is done.',
);
export const bulkBody = z.object({ people: seen, filter: whom });
export const bulkLabelsBody = z.object({ people: seen, filter: whom, ...labelChange }).refine(isChange, noChange);
const bulkJob = record<BulkJob>()('BulkJob', {
  id: z.string(),
  action: z.enum(BULK_ACTIONS),
  labels: z
    .object({ add: z.array(z.string()), remove: z.array(z.string()) })
    .nullable()
    .describe('Null unless it is `label`.'),
  state: z.enum(BULK_STATES),
  started_at: time,
  ended_at: time.nullable(),
  is_collecting: z.boolean().describe('Whether its people are still being collected.'),
  people: count,
  done: count,
  unchanged: count.describe('People for whom there was nothing to do, or it is not possible.'),
  left: count.describe('People who were not erased, because an email to them was on its way.'),
  traces: count.describe(
    'People who were erased while another program was reading the database, so that traces may remain in its file.',
  ),
});
export const startedBulk = bulkJob;
export const bulkList = z.object({ jobs: z.array(bulkJob).describe('The newest first, at most 20.') });
export type BulkJobsResponse = Output<typeof bulkList>;

export const addressBody = z.object({ email });

/** A person whom an admin enters by hand. */
export const newPerson = z.object({
  email,
  state: createEnum(['pending', 'subscribed'])
    .default('pending')
    .describe(
      '`pending`: they get an email to confirm their address. `subscribed`: they have agreed already, and get no email.',
    ),
  consent_text: text(MAX_CONSENT_LENGTH)
    .refine((words) => words.trim() !== '', { error: 'must say what the person agreed to' })
    .describe('What they agreed to, and how.'),
});
export const addedPerson = z.object({
  result: z.enum(['added', 'on-list']).describe('`on-list`: the person was on the list, and nothing has changed.'),
  id: z.string(),
});
export type AddedPersonResponse = Output<typeof addedPerson>;

/** The first `count` people by the filter, or exactly `ids`. */
export const restoreBody = z
  .object({
    ids: ids.optional(),
    count: wholeNumber(1, MAX_BULK).optional().describe('Needed without `ids`.'),
    filter: whom,
  })
  .transform(({ ids, count, filter }, context) => {
    if (ids !== undefined) return { ids };
    if (count !== undefined) return { count, filter };
    context.addIssue({ code: 'custom', path: ['count'], message: `must be a whole number from 1 to ${MAX_BULK}` });
    return z.NEVER;
  });
export const restored = z.object({ restored: count });
export type RestoreResponse = Output<typeof restored>;

const importLine = z.object({
  line: z.int().min(1),
  result: z.enum(['added', 'unsubscribed', 'on-list', 'repeated', 'left-out', 'problem']),
  person: z
    .object({ email: z.string(), source: z.string(), created_at: time, state: z.enum(PERSON_STATES) })
    .nullable(),
  problem: z.string().nullable(),
  address: z.string().nullable().describe('The cell of the address as it is in the file.'),
  column: z
    .string()
    .nullable()
    .describe('The column with the problem. Null: the problem is of the whole line, or there is none.'),
  value: z.string().nullable().describe('The cell of that column.'),
});

const valueError = 'must be at most 1000 choices such as Status:inactive=unsubscribed';
const valueChoices = z.array(z.string({ error: valueError }), { error: valueError }).max(1_000, { error: valueError });

const columnError = 'must be at most 200 choices such as email=Work address';
const columnChoices = z
  .array(z.string({ error: columnError }), { error: columnError })
  .max(200, { error: columnError });

export const importQuery = z.strictObject(
  {
    'dry-run': createEnum(['0', '1']).default('1').describe('`1`: stores nothing, and says what an import would do.'),
    welcome: createEnum(['0', '1']).default('0').describe('`1`: queues the first email of the people that are added.'),
    dates: createEnum(DATE_ORDERS)
      .optional()
      .describe('How to read dates such as 3/4/2026. Without it, a file that has some cannot be imported.'),
    problems: createEnum(['csv'])
      .optional()
      .describe('`csv`: stores nothing, and responds with all lines that have a problem, not only the first 100.'),
  },
  { error: 'has an unknown choice; column, value and name are taken in the header Import-Choices' },
);

/** A cell or the name of a file may be an address, and URLs are logged. The body is the file. */
export const IMPORT_CHOICES = {
  name: 'Import-Choices',
  description: `Encoded as a form. \`column\`: one of \`uses\` or \`ignore\`, and a column by its name or number, such as \`email=Work address\`. \`value\`: what a value of a column about consent means, such as \`Status:inactive=unsubscribed\`, or \`Status:*=ignore\` for all others. Both may be repeated. \`name\`: the name of the file, of which the list of imports shows the first ${MAX_IMPORT_NAME} characters.`,
};
const listOrOne = (list: z.ZodType<string[], string[]>) =>
  z.union([list, z.string().transform((choice) => [choice])]).default([]);
export const importChoices = z.strictObject(
  {
    column: listOrOne(columnChoices),
    value: listOrOne(valueChoices),
    name: text(MAX_FILE_NAME_LENGTH).default(''),
  },
  { error: 'has an unknown choice' },
);

const columnUse = z
  .union([z.enum(IMPORT_FIELDS), z.templateLiteral(['fields.', z.string()])])
  .meta({ id: 'ColumnUse' });

export const peopleByState = z.object({
  pending: count,
  subscribed: count,
  invited: count,
  joined: count,
  unsubscribed: count,
  bounced: count,
});

export const importReport = record<ImportReport>()('ImportReport', {
  import_id: z
    .string()
    .nullable()
    .describe('The id of the import, by which its people are found. Null: it has added nobody.'),
  columns: z
    .array(
      z.object({ number: z.int().min(1), name: z.string(), use: columnUse.nullable(), samples: z.array(z.string()) }),
    )
    .describe(
      'The columns of the file. `use`: what their cells are imported as; null if they are ignored. `samples`: their first different values.',
    ),
  uses: z.array(columnUse).describe('Everything that a column may be imported as.'),
  problem: z.string().nullable().describe('What has to be chosen before anyone can be imported: nobody is counted.'),
  questions: z
    .array(
      z.object({
        column: z.int().min(1),
        name: z.string(),
        values: z.array(
          z.object({
            value: z.string(),
            people: count,
            example: z.string().nullable().describe('The address of a line with the value.'),
            meaning: z.enum(VALUE_MEANINGS).nullable().describe('Null: it must be decided before anyone is imported.'),
          }),
        ),
        more: count.describe('How many different values are not listed.'),
      }),
    )
    .describe('The columns about consent whose values have to be decided, or were decided by the admin.'),
  skipped: z.array(z.string()).describe('The lines before the one with the names of the columns.'),
  undated: count.describe('People added without a date of signing up: they go to the end of the line.'),
  subscribed_by_ignoring: count.describe('People added as subscribed only because a value about consent is ignored.'),
  encoding: z.string().nullable().describe('The encoding of the file, if it is neither UTF-8 nor UTF-16.'),
  asks_date_order: z.boolean().describe('Whether there are dates that can be read two ways.'),
  counts: z.object({
    added: count,
    unsubscribed: count,
    'on-list': count,
    repeated: count,
    'left-out': count,
    problem: count,
  }),
  states: peopleByState.describe('The people added, by state.'),
  sources: z
    .array(z.object({ source: z.string(), people: count }))
    .describe('The people added, by source: at most 20, the largest first.'),
  first: z.array(importLine).describe('The first lines, at most 100.'),
  problems: z.array(importLine).describe('The first lines with a problem, at most 100.'),
});

export const importList = z.object({
  imports: z
    .array(
      record<ImportRecord>()('Import', {
        id: z.string(),
        name: z.string().describe('The name of the file. Empty: not known.'),
        created_at: time,
        added: count.describe('How many people it has added.'),
        people: count.describe('How many of them are on the list, and have not signed up again after an opt-out.'),
      }),
    )
    .describe('The newest first, at most 50.'),
});
export type ImportsResponse = Output<typeof importList>;

export const withdrawQuery = z.object({
  'dry-run': createEnum(['0', '1']).default('1').describe('`1`: erases nobody, and says what a withdrawal would do.'),
});
export const withdrawal = z.object({
  erased: count.describe('People who have not changed since they were added, and to whom nothing was sent.'),
  kept: count.describe('The others, who stay on the list.'),
  traceless: z.boolean().describe('False: copies may remain in files of the database for a while.'),
});
export type WithdrawalResponse = Output<typeof withdrawal>;

export const importEvent: z.ZodType<ImportEvent> = z.union([
  z.object({ type: z.literal('progress'), done: count, people: count, added: count }),
  z.object({ type: z.literal('done'), report: importReport }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
