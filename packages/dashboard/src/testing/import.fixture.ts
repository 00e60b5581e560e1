import { DAY_MS } from 'early-access-kit/core';
import type { ImportEvent, ImportReport } from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const PEOPLE = 1_200;

const REPORT: ImportReport = {
  counts: { added: PEOPLE, 'on-list': 14, repeated: 2, problem: 2 },
  first: [
    { line: 2, result: 'added', person: createPerson('ada@example.org'), problem: null },
    {
      line: 3,
      result: 'on-list',
      person: createPerson('grace.brewster.murray.hopper@computing.example'),
      problem: null,
    },
    { line: 4, result: 'problem', person: null, problem: 'email must be a valid email address' },
    { line: 5, result: 'repeated', person: createPerson('ada@example.org'), problem: null },
  ],
  problems: [
    { line: 4, result: 'problem', person: null, problem: 'email must be a valid email address' },
    { line: 917, result: 'problem', person: null, problem: 'the date is in the future' },
  ],
};

function createPerson(email: string) {
  return { email, source: 'fair', created_at: NOW - DAY_MS, state: 'subscribed' } as const;
}

/** An import that finishes at once, or stops after this many people. */
export function fakeImport(query: URLSearchParams, stopsAt = PEOPLE, signal?: AbortSignal | null): Response {
  if (query.get('dry-run') === '1') return Response.json(REPORT);
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
