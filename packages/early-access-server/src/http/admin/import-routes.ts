import type * as z from 'zod';
import { type ImportEvent, readImportFile, runImport, tryImport } from '../../app/list/run-import.ts';
import { toFailure } from '../failure.ts';
import { importEvent, importQuery, importReport } from '../schemas/people.ts';
import { baseHeaders, NO_STORE } from '../security-headers.ts';
import type { AdminRequest, AdminRouter } from './admin-context.ts';
import { memorySlots } from './memory-slots.ts';

/** Imports of people. Nothing is stored before the file was read to its end. */
export function importRoutes({ upload, json, service, store, context, https }: AdminRouter): void {
  const route = {
    summary: 'Imports people from a CSV file.',
    details:
      'Nothing is stored before the file was read to its end. A dry run responds with its report; an import with a line of JSON ' +
      '(`ImportEvent`) for each step, the last of type `done` or `failed`.',
    query: importQuery,
    responses: { 200: { 'application/json': importReport, 'application/x-ndjson': importEvent } },
  };
  /** A file is in memory as a whole. */
  const slots = memorySlots(1, 'import');
  upload('/import', 'text/csv', route, (request) => slots.run(request.c.req.raw, () => respond(request)));

  async function respond({
    c,
    session,
    query,
    body,
  }: AdminRequest<z.infer<typeof importQuery>, AsyncIterable<Uint8Array>>): Promise<Response> {
    const isDryRun = query['dry-run'] === '1';
    const welcome = query.welcome === '1';
    const file = await readImportFile(body, service.clock(), context.fields);
    if (isDryRun) return json(await tryImport(file, store.people));

    async function* run(): AsyncGenerator<ImportEvent> {
      let added = 0;
      try {
        for await (const event of runImport(file, { store: store.list, welcome })) {
          if (event.type === 'progress') ({ added } = event);
          yield event;
        }
      } catch (error) {
        const failure = toFailure(error);
        context.report(failure, c);
        yield { type: 'failed', message: failure.message };
      } finally {
        // Also if the admin has gone.
        if (welcome) context.wakeMail();
        await service.sessions.record(session, 'import', added);
      }
    }
    return new Response(linesOf(run()), {
      headers: {
        ...baseHeaders(https),
        'Content-Type': 'application/x-ndjson; charset=utf-8',
        'Cache-Control': NO_STORE,
      },
    });
  }
}

/** One line of JSON for each event. Nothing more is done once the reader has gone. */
function linesOf(events: AsyncGenerator<ImportEvent>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    cancel: async () => void (await events.return(undefined)),
  });
}
