import { expect, test } from 'vitest';
import { readImportEvents } from './import-events.ts';

const REPORT = {
  counts: { added: 2, unsubscribed: 0, 'on-list': 0, repeated: 0, problem: 0 },
  first: [],
  problems: [],
};
const PROGRESS = { type: 'progress', done: 1, people: 2, added: 1 };

/** Returns a response that arrives in chunks of a few bytes. */
function respond(events: readonly object[]): Response {
  const bytes = new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let start = 0; start < bytes.length; start += 7) controller.enqueue(bytes.slice(start, start + 7));
        controller.close();
      },
    }),
  );
}

test('progress is reported as it arrives, and the report is returned', async () => {
  const seen: unknown[] = [];
  const report = await readImportEvents(respond([PROGRESS, { type: 'done', report: REPORT }]), (event) =>
    seen.push(event),
  );
  expect([seen, report]).toEqual([[PROGRESS], REPORT]);
});

test.each([
  [[PROGRESS, { type: 'failed', message: 'the disk is full' }], 'the disk is full'],
  [[PROGRESS], 'The connection to the server was lost.'],
])('an import without a final event is an error: %j', async (events, message) => {
  await expect(readImportEvents(respond(events), () => {})).rejects.toThrow(message);
});
