import { DAY_MS } from 'early-access-kit/internal';
import type {
  ImportEvent,
  ImportRecord,
  ImportReport,
  ImportReportLine,
  ValueQuestion,
} from 'early-access-server/admin-api';
import { VALUE_MEANINGS } from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const PEOPLE = 1_200;

const REPORT: ImportReport = {
  import_id: null,
  columns: [
    { number: 1, name: 'Email Address', use: 'email', samples: ['ada@example.org'] },
    { number: 2, name: 'First Name', use: null, samples: ['Ada', 'Grace'] },
    { number: 3, name: 'OPTIN_TIME', use: 'created_at', samples: ['2024-01-31 12:00:00'] },
    { number: 4, name: 'Status', use: 'state', samples: ['subscribed', 'unsubscribed'] },
    { number: 5, name: 'Where we met you for the first time', use: null, samples: [] },
  ],
  uses: ['email', 'state', 'opt_in', 'created_at', 'unsubscribed_at', 'source', 'utm_source', 'fields.company'],
  problem: null,
  questions: [],
  skipped: [],
  undated: 0,
  subscribed_by_ignoring: 0,
  encoding: null,
  asks_date_order: false,
  states: { pending: 0, subscribed: 1_190, invited: 0, joined: 0, unsubscribed: 10, bounced: 0 },
  sources: [
    { source: 'fair', people: 900 },
    { source: 'import', people: 300 },
  ],
  counts: { added: PEOPLE, unsubscribed: 0, 'on-list': 14, repeated: 2, 'left-out': 0, problem: 2 },
  first: [
    createLine(2, 'added', 'ada@example.org'),
    createLine(3, 'on-list', 'grace.brewster.murray.hopper@computing.example'),
    createProblem(4, 'email must be a valid email address', 'Email Address', 'nobody'),
    createLine(5, 'repeated', 'ada@example.org'),
  ],
  problems: [
    createProblem(4, 'email must be a valid email address', 'Email Address', 'nobody'),
    createProblem(917, 'the date is in the future', 'OPTIN_TIME', '2031-01-01'),
  ],
};

function createLine(line: number, result: ImportReportLine['result'], email: string): ImportReportLine {
  return { line, result, person: createPerson(email), problem: null, address: email, column: null, value: null };
}

function createProblem(line: number, problem: string, column: string, value: string): ImportReportLine {
  const address = column === 'Email Address' ? value : `p${line}@example.org`;
  return { line, result: 'problem', person: null, problem, address, column, value };
}

function createPerson(email: string) {
  return { email, source: 'fair', created_at: NOW - DAY_MS, state: 'subscribed' } as const;
}

/** Returns the report of a dry run for these columns and this order of dates. */
function createReport(query: URLSearchParams, report: Partial<ImportReport>): ImportReport {
  const choices = query.getAll('column').map((choice) => choice.split('='));
  const columns = REPORT.columns.map((column) => {
    const [use] = choices.find(([, number]) => number === String(column.number)) ?? [column.use];
    return { ...column, use: REPORT.uses.find((candidate) => candidate === use) ?? null };
  });
  const fixed = choices.length > 0 ? { problem: null } : {};
  const ordered = query.has('dates') ? { asks_date_order: false, problems: [] } : {};
  const questions = decideValues(report.questions ?? [], query.getAll('value'));
  const isOpen = questions.some(({ values }) => values.some(({ meaning }) => meaning === null));
  const decided = questions.length > 0 && !isOpen ? { problem: null } : {};
  const ignoring = questions.flatMap(({ values }) => values.filter(({ meaning }) => meaning === 'ignore'));
  const subscribed_by_ignoring = ignoring.reduce((sum, { people }) => sum + people, 0);
  const about = { columns, questions, subscribed_by_ignoring };
  const checked = { ...REPORT, ...report, ...about, ...fixed, ...ordered, ...decided };
  if (checked.problem === null) return checked;
  const counts = { added: 0, unsubscribed: 0, 'on-list': 0, repeated: 0, 'left-out': 0, problem: 0 };
  const states = { pending: 0, subscribed: 0, invited: 0, joined: 0, unsubscribed: 0, bounced: 0 };
  return { ...checked, counts, states, undated: 0, sources: [], first: [], problems: [] };
}

/** The id of an import that the list can be filtered by. */
const IMPORT_ID = '2c5ea4c0-4067-4e19-8bad-9b1deb4d3b7d';

/** The part of the fake server that lists and undoes imports. */
export function fakeImports(isEmpty: boolean) {
  const past: readonly ImportRecord[] = [
    { id: IMPORT_ID, name: 'fair-2026.csv', created_at: NOW - 2 * DAY_MS, added: PEOPLE, people: PEOPLE },
    { id: randomId(2), name: 'newsletter.csv', created_at: NOW - 9 * DAY_MS, added: 310, people: 298 },
    { id: randomId(3), name: '', created_at: NOW - 40 * DAY_MS, added: 12, people: 0 },
  ];
  let imports = isEmpty ? [] : past;
  const countKept = (id: string) => (id === IMPORT_ID ? 10 : 298);
  return {
    list: () => Response.json({ imports }),
    withdraw(name: string, query: URLSearchParams): Response | null {
      const [, id] = /^POST \/admin\/imports\/([\da-f-]+)\/withdraw$/.exec(name) ?? [];
      if (id === undefined) return null;
      const kept = countKept(id);
      const people = imports.find((file) => file.id === id)?.people ?? 0;
      if (query.get('dry-run') === '0')
        imports = imports.map((file) => (file.id === id ? { ...file, people: kept } : file));
      return Response.json({ erased: people - kept, kept, traceless: true });
    },
  };
}

function randomId(number: number): string {
  return IMPORT_ID.replace(/^./, String(number + 2));
}

/** Applies choices such as `4:inactive=unsubscribed` to the questions. */
function decideValues(questions: readonly ValueQuestion[], choices: readonly string[]): readonly ValueQuestion[] {
  const decided = new Map(
    choices.map((choice) => [choice.slice(0, choice.lastIndexOf('=')), choice.split('=').at(-1)]),
  );
  return questions.map((question) => ({
    ...question,
    values: question.values.map((entry) => {
      const chosen = decided.get(`${question.column}:${entry.value}`);
      return { ...entry, meaning: VALUE_MEANINGS.find((meaning) => meaning === chosen) ?? entry.meaning };
    }),
  }));
}

export interface FakeImport {
  /** The number of people, out of 1,200, after which an import makes no progress. */
  readonly stopsAt?: number;
  /** Overrides of the dry run's report. */
  readonly report?: Partial<ImportReport>;
}

/** An import that finishes immediately, unless it stops. */
export function fakeImport(
  query: URLSearchParams,
  { stopsAt = PEOPLE, report = {} }: FakeImport = {},
  signal?: AbortSignal | null,
): Response {
  if (query.has('problems')) {
    return new Response('line,address\r\n4,nobody\r\n', { headers: { 'Content-Type': 'text/csv' } });
  }
  if (query.get('dry-run') === '1') return Response.json(createReport(query, report));
  const events: ImportEvent[] = [{ type: 'progress', done: stopsAt, people: PEOPLE, added: stopsAt }];
  if (stopsAt === PEOPLE) events.push({ type: 'done', report: { ...REPORT, import_id: IMPORT_ID } });
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
        if (stopsAt === PEOPLE) controller.close();
        else signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    }),
  );
}
