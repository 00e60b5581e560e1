import { parseEmail } from 'early-access-kit/internal';
import { resolveLocalTime } from '../../app/campaigns/schedule.ts';
import { fieldColumns, streamSignupsCsv } from '../../app/people/signups-csv.ts';
import type { AuditAction } from '../../app/ports/admin-store.ts';
import type { StoredRequest } from '../../app/ports/list-status-store.ts';
import { changeListStatus, findClosed, type ListMode, needsPeople } from '../../app/signup/list-status.ts';
import { Failure } from '../routing/failure.ts';
import {
  erasedRequest,
  type ListStatusResponse,
  listStatusChange,
  listStatusNow,
  type OpeningRequestsResponse,
  openingRequests,
  requestToErase,
  SHOWN_REQUESTS,
} from '../routing/schemas/list-status.ts';
import { type AdminRouter, fileHeaders, route } from './admin-route.ts';
import { memorySlots } from './memory-slots.ts';

/** Each export uses memory until it has ended. */
const MAX_EXPORTS = 2;

const AUDITED = {
  open: 'open-list',
  paused: 'pause-list',
  closed: 'close-list',
} as const satisfies Record<ListMode, AuditAction>;

export function listStatusRoutes(router: AdminRouter): void {
  const { service, store } = router;
  route(router, {
    method: 'get',
    path: '/list-status',
    scope: 'list',
    summary: 'Whether the list accepts signups, and what visitors are shown if it does not.',
    response: listStatusNow,
    respond: () => readStatus(router),
  });
  route(router, {
    method: 'post',
    path: '/list-status',
    scope: 'list',
    summary: 'Opens, pauses, closes or limits the list. What is left out stays.',
    details:
      'People on the list stay on it, confirm and are invited as before. Imports and people whom an admin adds are accepted, too.',
    body: listStatusChange,
    response: listStatusNow,
    async respond({ caller, body: { closes, zone, ...change } }) {
      const now = service.clock();
      const time = closes && { closes_at: resolveLocalTime(closes, zone, now).at };
      const { status } = await store.listStatus.read();
      const changed = changeListStatus(status, { ...change, ...(closes === null ? { closes_at: null } : time) }, now);
      await store.listStatus.save(changed);
      await service.sessions.record(caller, changed.mode === status.mode ? 'change-list' : AUDITED[changed.mode], 1);
      await service.admitWaiting();
      return readStatus(router);
    },
  });
  requestRoutes(router);
}

/** Routes for the people who wait for the list to open. The people routes do not include them. */
function requestRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  const { listStatus } = store;
  route(router, {
    method: 'get',
    path: '/list-status/requests',
    scope: 'people',
    summary: 'The people who wait for the list to open.',
    response: openingRequests,
    async respond() {
      const requests: OpeningRequestsResponse['requests'][number][] = [];
      for await (const { signup, language, created_at } of listStatus.requests()) {
        requests.push({ email: signup.email, created_at, source: signup.source, language });
        if (requests.length === SHOWN_REQUESTS) break;
      }
      return { requests };
    },
  });
  const exports = memorySlots(MAX_EXPORTS, 'export');
  route(router, {
    method: 'get',
    path: '/list-status/requests.csv',
    scope: 'people',
    needs: 'export',
    summary: 'The people who wait for the list to open as a CSV file, the oldest first.',
    responses: { 200: { 'text/csv': null } },
    respond: ({ c, caller }) =>
      exports.run(c.req.raw, async () => {
        await service.sessions.record(caller, 'export-requests', await listStatus.countRequests());
        const columns = await fieldColumns(context.fields, store.people);
        const headers = {
          ...fileHeaders('text/csv'),
          'Content-Disposition': 'attachment; filename="waiting-for-opening.csv"',
        };
        return new Response(streamSignupsCsv(toRows(listStatus.requests()), columns), { headers });
      }),
  });
  route(router, {
    method: 'post',
    path: '/list-status/requests/erase',
    summary: 'Erases a person who waits for the list to open.',
    body: requestToErase,
    response: erasedRequest,
    refusals: { 409: 'The person is on the list.' },
    async respond({ caller, body }) {
      const email = parseEmail(body.email);
      if ((await store.people.listed([email])).has(email)) {
        throw new Failure(409, 'invalid', 'This person is on the list. Erase them under People.');
      }
      const { erased } = await store.erase(email);
      await service.sessions.record(caller, 'erase-request', erased === null ? 0 : 1);
      return { erased: erased !== null };
    },
  });
}

async function* toRows(requests: AsyncIterable<StoredRequest>) {
  for await (const { signup, language, created_at } of requests) yield { ...signup, language, created_at };
}

async function readStatus({ store, service }: AdminRouter): Promise<ListStatusResponse> {
  const now = service.clock();
  const { status, people } = await store.listStatus.read();
  const requests = await store.listStatus.countRequests();
  const closed = findClosed(status, people, now)?.closed ?? null;
  return { status, closed, people: needsPeople(status, now) ? people : null, requests };
}
