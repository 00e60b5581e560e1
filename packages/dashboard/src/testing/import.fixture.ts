import { DAY_MS } from 'early-access-kit/core';
import type { ImportEvent, ImportReport, ImportReportLine } from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const PEOPLE = 1_200;

const REPORT: ImportReport = {
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

/** The report of a dry run with these choices of columns and of the order of dates. */
function createReport(query: URLSearchParams, report: Partial<ImportReport>): ImportReport {
  const choices = query.getAll('column').map((choice) => choice.split('='));
  const columns = REPORT.columns.map((column) => {
    const [use] = choices.find(([, number]) => number === String(column.number)) ?? [column.use];
    return { ...column, use: REPORT.uses.find((candidate) => candidate === use) ?? null };
  });
  const fixed = choices.length > 0 ? { problem: null } : {};
  const ordered = query.has('dates') ? { asks_date_order: false, problems: [] } : {};
  const checked = { ...REPORT, ...report, columns, ...fixed, ...ordered };
  if (checked.problem === null) return checked;
  const counts = { added: 0, unsubscribed: 0, 'on-list': 0, repeated: 0, 'left-out': 0, problem: 0 };
  return { ...checked, counts, sources: [], first: [], problems: [] };
}

export interface FakeImport {
  /** The number of people, of 1,200, after which an import makes no progress. */
  readonly stopsAt?: number;
  /** The parts of the dry run's report that are different. */
  readonly report?: Partial<ImportReport>;
}

/** An import that finishes at once, unless it stops. */
export function fakeImport(
  query: URLSearchParams,
  { stopsAt = PEOPLE, report = {} }: FakeImport = {},
  signal?: AbortSignal | null,
): Response {
  if (query.get('dry-run') === '1') return Response.json(createReport(query, report));
  const events: ImportEvent[] = [{ type: 'progress', done: stopsAt, people: PEOPLE, added: stopsAt }];
  if (stopsAt === PEOPLE) events.push({ type: 'done', report: REPORT });
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
