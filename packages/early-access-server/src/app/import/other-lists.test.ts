import { createReadStream, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseColumnChoices } from './columns.ts';
import type { DateOrder } from './parse-time.ts';
import type { PersonRow } from './person-row.ts';
import { readImportFile } from './run-import.ts';
import { parseValueChoices } from './value-choices.ts';

const FOLDER = new URL('./other-lists/', import.meta.url);
const NOW = Date.UTC(2026, 5, 1);
const NOON = Date.UTC(2024, 0, 31, 12);

interface Expected {
  readonly people: readonly Partial<PersonRow>[];
  /** Columns that are not used. */
  readonly ignored?: readonly string[];
  readonly problems?: readonly string[];
  /** Lines before the names of the columns. */
  readonly skipped?: readonly string[];
  /** The problem that blocks the import until the choices are made, with which it has `people`. */
  readonly asks?: Asked;
}

interface Asked {
  readonly problem: string;
  /** Values that have to be decided, by column. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  readonly choices: {
    readonly values?: readonly string[];
    readonly columns?: readonly string[];
    readonly dateOrder?: DateOrder | null;
  };
}

const ada = (rest: Partial<PersonRow> = {}) => ({ email: 'ada@example.org', state: 'subscribed', ...rest }) as const;
const bob = (rest: Partial<PersonRow> = {}) => ({ email: 'bob@example.org', state: 'subscribed', ...rest }) as const;

const MAILCHIMP_IGNORED = [
  ...[
    'First Name',
    'Last Name',
    'MEMBER_RATING',
    'OPTIN_IP',
    'CONFIRM_IP',
    'LATITUDE',
    'LONGITUDE',
    'GMTOFF',
    'DSTOFF',
  ],
  ...['TIMEZONE', 'CC', 'REGION', 'LAST_CHANGED', 'LEID', 'EUID', 'NOTES'],
];
const GHOST_IGNORED = ['id', 'name', 'note', 'complimentary_plan', 'stripe_customer_id', 'tiers'];
const LISTMONK_IGNORED = ['uuid', 'name', 'attributes', 'updated_at'];

/** Lists as other products export them. What a file does not say is not listed. */
const FILES: Readonly<Record<string, Expected>> = {
  'mailchimp-default.csv': {
    people: [ada({ created_at: NOON, confirmed_at: NOON })],
    ignored: [...MAILCHIMP_IGNORED, 'Address', 'Phone Number', 'Birthday'],
  },
  'min-mailchimp.csv': { people: [ada()], ignored: ['Address'] },
  'mailchimp-noaddr.csv': { people: [ada({ created_at: NOON, confirmed_at: NOON })], ignored: MAILCHIMP_IGNORED },
  'mailchimp-unsubscribed.csv': {
    people: [ada({ state: 'unsubscribed', unsubscribed_at: Date.UTC(2024, 2, 1, 8) })],
    ignored: ['First Name', 'MEMBER_RATING'],
  },
  'mailchimp-fr.csv': { people: [ada()], ignored: ['Prénom'] },
  'mailchimp-es.csv': { people: [ada()], ignored: ['Nombre'] },
  'latin-header.csv': { people: [ada({ source: 'messe' })] },
  'buttondown.csv': { people: [ada({ created_at: NOON, source: 'api' })], ignored: ['type'] },
  'us-state.csv': {
    people: [ada(), { email: 'grace@example.org', state: 'subscribed' }],
    ignored: ['First Name', 'City', 'State', 'Zip'],
  },
  'min-state.csv': { people: [ada()], ignored: ['state'] },
  'shift.csv': { people: [ada({ source: 'fair' })], ignored: ['company', 'notes'] },
  'excel-de-name.csv': { people: [ada({ source: 'Messe' }), bob({ source: 'Messe' })], ignored: ['Name'] },
  'comma-in-semi.csv': { people: [ada({ source: 'Berlin, Halle 3', created_at: Date.UTC(2024, 0, 31) })] },
  'semicolon-in-comma.csv': { people: [ada({ source: 'fair; hall 3' }), bob({ source: 'fair; hall 3' })] },
  'gforms-semicolon.csv': {
    people: [ada({ created_at: Date.UTC(2026, 0, 31, 12) }), bob({ created_at: Date.UTC(2026, 0, 31, 12, 1) })],
    ignored: ['What do you sell?'],
  },
  'google-forms.csv': { people: [ada({ created_at: Date.UTC(2024, 0, 31, 11) })], ignored: ['What do you sell?'] },
  'beehiiv.csv': { people: [ada({ created_at: NOON, attribution: { utm_source: 'twitter' } })] },
  'beehiiv2.csv': { people: [ada({ created_at: NOON, source: 'website' })], ignored: ['id'] },
  'kit.csv': { people: [ada({ created_at: NOON })], ignored: ['First name'] },
  'utc.csv': { people: [ada({ created_at: NOON })] },
  'pg00.csv': { people: [ada({ created_at: NOON })] },
  'iso0000.csv': { people: [ada({ created_at: NOON })] },
  'substack.csv': {
    people: [ada({ created_at: Date.UTC(2024, 0, 31) })],
    ignored: ['Name', 'Activity', 'Revenue'],
  },
  'getwaitlist.csv': {
    people: [ada({ created_at: NOON + 123 })],
    ignored: ['Priority', 'Referrals', 'Referral Link'],
  },
  'ghost.csv': { people: [ada({ created_at: NOON })], ignored: GHOST_IGNORED },
  'ghost-opt-out.csv': {
    people: [ada({ created_at: NOON }), bob({ created_at: NOON, state: 'unsubscribed' })],
    ignored: GHOST_IGNORED,
  },
  'listmonk.csv': { people: [ada({ created_at: NOON + 123 })], ignored: LISTMONK_IGNORED },
  'listmonk-blocklisted.csv': {
    people: [ada({ created_at: NOON }), bob({ created_at: NOON, state: 'unsubscribed' })],
    ignored: LISTMONK_IGNORED,
  },
  'zwsp.csv': {
    people: [ada({ source: 'fair' }), bob({ source: 'fair' }), { email: 'eve@example.org', source: 'x' }],
  },
  'sq.csv': { people: [ada({ source: 'fair' })] },
  'spaces.csv': { people: [ada({ source: 'fair' })] },
  'excel-semicolon-bom.csv': { people: [ada({ source: 'fair', created_at: Date.UTC(2024, 0, 31) })] },
  'cr-only.csv': { people: [ada({ source: 'fair' }), bob({ source: 'fair' })] },
  'one-col.csv': { people: [ada(), bob()] },
  'quoted-newline.csv': { people: [ada({ source: 'fair' }), bob({ source: 'fair' })], ignored: ['notes'] },
  'unescaped-quote.csv': { people: [ada({ source: 'fair' }), bob({ source: 'fair' })], ignored: ['notes'] },
  'outlook.csv': { people: [ada()], ignored: ['First Name', 'Last Name', 'E-mail 2 Address', 'State'] },
  'excel-utf16le.txt': { people: [ada({ source: 'München' })] },
  'utf16be.txt': { people: [ada({ source: 'München' })] },
  'trailing-commas.csv': { people: [ada({ source: 'fair' })] },
  'formula.csv': {
    people: [{ email: '+49ada@example.org' }, { email: '-ada@example.org' }],
    problems: ['line 2: contains a formula'],
  },
  'win1252-source.csv': { people: [], problems: ['line 2: is not UTF-8; save the file as CSV UTF-8'] },
  'salesforce-api-names.csv': {
    people: [ada({ created_at: NOON }), bob({ state: 'unsubscribed' })],
    ignored: ['Id', 'FirstName', 'LastName'],
  },
  'camel-case.csv': {
    people: [
      ada({ created_at: NOON }),
      bob({ state: 'unsubscribed', created_at: NOON, unsubscribed_at: Date.UTC(2024, 2, 1, 8) }),
    ],
    ignored: ['id'],
  },
  'hubspot.csv': {
    people: [
      ada({ created_at: NOON }),
      bob({ state: 'unsubscribed', created_at: NOON }),
      { email: 'cy@example.org', state: 'unsubscribed', created_at: NOON },
      { email: 'di@example.org', state: 'bounced', created_at: NOON },
    ],
    ignored: ['Record ID', 'First Name', 'Last Name'],
    asks: {
      problem: 'column 8 (Email hard bounce reason) may say who wants email',
      values: { 'Email hard bounce reason': ['Unknown user'] },
      choices: { values: ['Email hard bounce reason:Unknown user=bounced'] },
    },
  },
  'klaviyo.csv': {
    people: [
      ada(),
      bob({ state: 'unsubscribed' }),
      { email: 'cy@example.org', state: 'unsubscribed' },
      { email: 'di@example.org', state: 'unsubscribed' },
      { email: 'ed@example.org', state: 'bounced' },
    ],
    ignored: ['First Name'],
  },
  'beehiiv-status.csv': {
    people: [
      { email: 'a@example.org', state: 'subscribed', created_at: NOON },
      { email: 'b@example.org', state: 'unsubscribed' },
      { email: 'c@example.org', state: 'pending' },
    ],
    asks: {
      problem: 'column 2 (Status) may say who wants email',
      values: { Status: ['inactive', 'validating', 'needs_attention'] },
      choices: { values: ['2:inactive=unsubscribed', 'Status:Validating=pending', 'Status:*=leave-out'] },
    },
  },
  'mailerlite.csv': {
    people: [ada({ created_at: NOON }), bob({ created_at: Date.UTC(2024, 1, 1, 12) })],
    ignored: ['Name', 'Sent', 'Opens', 'Location'],
  },
  'unix-times.csv': { people: [ada({ created_at: NOON }), bob({ state: 'unsubscribed', created_at: NOON })] },
  'js-date-string.csv': { people: [ada({ created_at: NOON })] },
  'typeform.csv': {
    people: [ada({ created_at: NOON })],
    ignored: ['#', 'How satisfied were you?', 'Start Date (UTC)'],
  },
  'google-forms-ja.csv': { people: [ada({ created_at: NOON })] },
  'mixed-dates.csv': {
    people: [
      ada({ created_at: Date.UTC(2024, 0, 31) }),
      bob({ created_at: Date.UTC(2024, 0, 5) }),
      { email: 'cy@example.org', created_at: Date.UTC(2024, 0, 7) },
    ],
    asks: {
      problem:
        'line 3 has 05/01/2024, which can be read two ways, and line 2 has 31/01/2024, which is day-first; choose day-first or month-first',
      choices: { dateOrder: 'day-first' },
    },
  },
  'preamble.csv': {
    people: [ada()],
    ignored: ['First Name', 'Last Name', 'URL', 'Company', 'Position', 'Connected On'],
    skipped: ['Notes:', 'When exporting your connection data, some emails may be missing.'],
  },
  'numbers-table-name.csv': { people: [ada(), bob()], ignored: ['Name'], skipped: ['Table 1'] },
  'two-address-columns.csv': {
    people: [ada(), bob()],
    ignored: ['First Name', 'Last Name', 'E-mail 1 - Label', 'E-mail 2 - Label', 'E-mail 2 - Value'],
    asks: {
      problem: 'columns 4 (E-mail 1 - Value) and 6 (E-mail 2 - Value) are both the email; choose one',
      choices: { columns: ['email=4'] },
    },
  },
};

const readList = (name: string, { values = [], columns = [], dateOrder = null }: Partial<Asked['choices']> = {}) =>
  readImportFile(createReadStream(new URL(name, FOLDER)), {
    now: NOW,
    declarations: {},
    choices: parseColumnChoices(columns, {}),
    values: parseValueChoices(values),
    dateOrder,
  });

it.each(Object.entries(FILES))('%s', async (name, { people, ignored = [], problems = [], skipped = [], asks }) => {
  if (asks !== undefined) {
    const file = await readList(name);
    expect([file.problem, file.people]).toEqual([expect.stringContaining(asks.problem), []]);
    const open = file.questions.map(({ name: column, values }) => [
      column,
      values.flatMap(({ value, people: count, meaning }) => (meaning === null ? [`${value} ${count}`] : [])),
    ]);
    expect(Object.fromEntries(open)).toEqual(
      Object.fromEntries(
        Object.entries(asks.values ?? {}).map(([column, values]) => [column, values.map((value) => `${value} 1`)]),
      ),
    );
  }
  const file = await readList(name, asks?.choices);
  expect(file.problem).toBeNull();
  expect(file.people.map(({ person }) => person)).toEqual(people.map((person) => expect.objectContaining(person)));
  expect(file.columns.flatMap((column) => (column.use === null ? [column.name] : [])).toSorted()).toEqual(
    ignored.toSorted(),
  );
  const lines = file.others.filter(({ result }) => result !== 'left-out');
  expect(lines.map(({ line, problem }) => `line ${line}: ${problem}`)).toEqual(problems);
  expect(file.skipped).toEqual(skipped);
});

it('an order of dates that another line contradicts is refused, and the line is named', async () => {
  const file = await readList('mixed-dates.csv', { dateOrder: 'month-first' });
  expect([file.problem, file.people]).toEqual([
    'the dates are not month-first: line 2 has 31/01/2024; choose day-first, or correct the line',
    [],
  ]);
});

it.each(['header-only.csv', 'empty.csv'])('%s', async (name) => {
  await expect(readList(name)).rejects.toThrow('the file has no people');
});

it('every file has its result', () => {
  const names = readdirSync(FOLDER).filter((name) => !name.startsWith('.'));
  expect([...Object.keys(FILES), 'header-only.csv', 'empty.csv'].toSorted()).toEqual(names.toSorted());
});
