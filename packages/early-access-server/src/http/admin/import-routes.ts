import type * as z from 'zod';
import { parseColumnChoices } from '../../app/import/columns.ts';
import {
  checkImportFile,
  type ImportEvent,
  type ImportFile,
  listProblems,
  PROBLEM_COLUMNS,
  readImportFile,
  runImport,
  tryImport,
} from '../../app/import/run-import.ts';
import { parseValueChoices } from '../../app/import/value-choices.ts';
import { countWithdrawal, withdrawImport } from '../../app/import/withdraw-import.ts';
import type { AdminSession } from '../../app/ports/admin-store.ts';
import type { Store } from '../../app/ports/store.ts';
import { streamCsv } from '../../app/text/csv.ts';
import { noteFailure } from '../routing/mount-route.ts';
import { normalizeQuery, parseInput } from '../routing/openapi/schema.ts';
import type { AppContext } from '../routing/request-context.ts';
import {
  IMPORT_CHOICES,
  importChoices,
  importEvent,
  importList,
  importQuery,
  importReport,
  withdrawal,
  withdrawQuery,
} from '../routing/schemas/people.ts';
import { importId } from '../routing/schemas/segments.ts';
import { ADMIN_HEADERS, type AdminRouter, fileHeaders, route } from './admin-route.ts';
import { memorySlots } from './memory-slots.ts';

const SHOWN_IMPORTS = 50;
const NOBODY = { erased: 0, kept: 0 };

/** Routes for imports. Nothing is stored before the whole file was read. */
export function importRoutes(router: AdminRouter): void {
  pastImportRoutes(router);
  const { service, store, context } = router;
  /** Files are read into memory completely, so only one is processed at a time. */
  const slots = memorySlots(1, 'import');
  route(router, {
    method: 'post',
    path: '/import',
    summary: 'Imports people from a CSV file.',
    details:
      'Nothing is stored until the whole file has been read. A dry run responds with its report, or with `problems=csv` with all lines that ' +
      'have a problem; an import with a line of JSON (`ImportEvent`) for each step, the last of type `done` or `failed`.',
    query: importQuery,
    header: IMPORT_CHOICES,
    body: 'text/csv',
    responses: { 200: { 'application/json': importReport, 'text/csv': null, 'application/x-ndjson': importEvent } },
    respond: ({ c, caller, query, body }) =>
      slots.run(c.req.raw, async () => {
        const declarations = context.fields;
        const { column, value, name } = readChoices(c);
        const file = await readImportFile(body, {
          now: service.clock(),
          declarations,
          choices: parseColumnChoices(column, declarations),
          values: parseValueChoices(value),
          dateOrder: query.dates ?? null,
        });
        if (query.problems === 'csv') {
          return new Response(streamCsv(listProblems(file), PROBLEM_COLUMNS), {
            headers: fileHeaders('text/csv'),
          });
        }
        if (query['dry-run'] === '1') {
          return new Response(JSON.stringify(await tryImport(file, store.people)), { headers: ADMIN_HEADERS });
        }
        checkImportFile(file);
        const events = importEvents(router, c, caller, file, {
          welcome: query.welcome === '1',
          name,
        });
        return new Response(streamLines(events), { headers: fileHeaders('application/x-ndjson') });
      }),
  });
}

function readChoices(c: AppContext): z.output<typeof importChoices> {
  const given = new URLSearchParams(c.req.header(IMPORT_CHOICES.name));
  const choices = Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]));
  return parseInput(importChoices, normalizeQuery(choices), `the header ${IMPORT_CHOICES.name}`);
}

async function* importEvents(
  { service, store, context }: AdminRouter,
  c: AppContext,
  admin: AdminSession,
  file: ImportFile,
  { welcome, name }: { readonly welcome: boolean; readonly name: string },
): AsyncGenerator<ImportEvent> {
  let added = 0;
  let ignoring = file.people.filter(({ isIgnoring }) => isIgnoring).length;
  try {
    for await (const event of runImport(file, { store: store.list, welcome, name })) {
      if (event.type === 'progress') ({ added } = event);
      if (event.type === 'done') ignoring = event.report.subscribed_by_ignoring;
      yield event;
    }
  } catch (error) {
    yield { type: 'failed', message: noteFailure(error, c, context).message };
  } finally {
    // Even if the admin has disconnected.
    if (welcome) context.wakeMail();
    await service.sessions.record(admin, 'import', added);
    if (ignoring > 0) await service.sessions.record(admin, 'ignore-consent', ignoring);
  }
}

/** Routes that list past imports and withdraw one. */
function pastImportRoutes(router: AdminRouter): void {
  const { service, store } = router;
  route(router, {
    method: 'get',
    path: '/imports',
    needs: 'people',
    summary: 'The imports that have added people.',
    response: importList,
    respond: async () => ({ imports: await store.list.imports(SHOWN_IMPORTS) }),
  });
  route(router, {
    method: 'post',
    path: '/imports/:id/withdraw',
    summary: 'Erases the people of an import to whom nothing was sent.',
    details:
      'Erases people who have not changed since they were added: no attempt was made to send them an email, and they have not confirmed, unsubscribed ' +
      'or been invited since. The others stay. A call that was interrupted is continued by the same call.',
    query: withdrawQuery,
    response: withdrawal,
    async respond({ id, caller, query }) {
      if (!importId.safeParse(id).success) return { ...NOBODY, traceless: true };
      if (query['dry-run'] === '1') return { ...(await countWithdrawal(store.list, id)), traceless: true };
      let erased = 0;
      const erase: Store['erase'] = async (email, ofImport) => {
        const erasure = await store.erase(email, ofImport);
        if (erasure.erased !== null) erased += 1;
        return erasure;
      };
      try {
        return await withdrawImport({ erase, list: store.list }, id);
      } finally {
        // Recorded even if it is interrupted.
        await service.sessions.record(caller, 'import-withdrawn', erased);
      }
    },
  });
}

/** Streams each event as a line of JSON. Stops the work if the client disconnects. */
function streamLines(events: AsyncGenerator<ImportEvent>): ReadableStream<Uint8Array> {
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
