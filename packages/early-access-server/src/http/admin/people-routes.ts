import { normalizeEmail } from 'early-access-kit/core';
import type { SignedIn } from '../../app/admin/team.ts';
import { findListed } from '../../app/lifecycle/opt-out.ts';
import { readConsent, readConsents } from '../../app/people/consent.ts';
import { forgetPerson } from '../../app/people/forget.ts';
import { fieldColumns, streamSignupsCsv } from '../../app/people/signups-csv.ts';
import type { AuditAuthor } from '../../app/ports/admin-store.ts';
import type { Store } from '../../app/ports/store.ts';
import { Failure } from '../routing/failure.ts';
import type { AppContext } from '../routing/request-context.ts';
import {
  type AddedPersonResponse,
  addedPerson,
  addressBody,
  type BulkResponse,
  type BulkResult,
  bulkResults,
  counted,
  filterParams,
  idsBody,
  labelList,
  labelsBody,
  newPerson,
  type PeopleFilterInput,
  type PeopleQueryInput,
  type PeopleResponse,
  peopleFilter,
  peoplePage,
  peopleParams,
  peopleQuery,
  personRecord,
  restoreBody,
  restored,
  sourceList,
} from '../routing/schemas/people.ts';
import { type AdminRouter, fileHeaders, route } from './admin-route.ts';
import { memorySlots } from './memory-slots.ts';
import { nameFilter, toFilter, toPageQuery } from './people-input.ts';

/** Paths of reads that have their conditions in the body of a POST. */
export const PEOPLE_READS = { search: '/people/search', count: '/people/count', csv: '/people.csv' } as const;

/** The pages of the list that they hold in memory wait for the slowest reader. */
const MAX_EXPORTS = 4;
const MAX_ID_LENGTH = 100;
const GONE = 'This person is no longer on the list.';
/** People erased together, because a store may search its files for traces of all of them in one pass. */
const FORGOTTEN_AT_ONCE = 10;

/** Routes for the people on the list: pages, records, the CSV, and the admin's actions on them. */
export function peopleRoutes(router: AdminRouter): void {
  readRoutes(router);
  csvRoutes(router);
  bulkRoutes(router);
  restoreRoute(router);
  correctRoute(router);
  addRoute(router);
}

function readRoutes(router: AdminRouter): void {
  const { store, context } = router;
  const { people } = store;
  async function list(query: PeopleQueryInput): Promise<PeopleResponse> {
    const page = await people.list(toPageQuery(query, router));
    return { ...page, people: page.people.map((person) => ({ ...person, ...readConsent(person, context.fields) })) };
  }
  route(router, {
    method: 'get',
    path: '/people',
    scope: 'people',
    summary: 'A page of the list.',
    details: 'Conditions that may be an address are for `POST /people/search`, because URLs are logged.',
    query: peopleParams,
    response: peoplePage,
    respond: ({ query }) => list(query),
  });
  route(router, {
    method: 'post',
    path: PEOPLE_READS.search,
    scope: 'people',
    isReadOnly: true,
    summary: 'A page of the people who match.',
    body: peopleQuery,
    response: peoplePage,
    respond: ({ body }) => list(body),
  });
  const COUNT = { scope: 'people', summary: 'How many people match.', response: counted } as const;
  route(router, {
    ...COUNT,
    method: 'get',
    path: PEOPLE_READS.count,
    query: filterParams,
    respond: ({ query }) => people.count(toFilter(query, router)),
  });
  route(router, {
    ...COUNT,
    method: 'post',
    path: PEOPLE_READS.count,
    isReadOnly: true,
    body: peopleFilter,
    respond: ({ body }) => people.count(toFilter(body, router)),
  });
  route(router, {
    method: 'get',
    path: '/people/sources',
    scope: 'people',
    summary: 'The distinct sources, at most 100.',
    response: sourceList,
    respond: async () => ({ sources: await people.sources() }),
  });
  route(router, {
    method: 'get',
    path: '/people/labels',
    scope: 'people',
    summary: 'The labels in use.',
    response: labelList,
    respond: async () => ({ labels: await people.labels() }),
  });
  route(router, {
    method: 'get',
    path: '/people/:id',
    scope: 'people',
    summary: 'A person, with the session in which they signed up.',
    response: personRecord,
    refusals: { 404: GONE },
    async respond({ id }) {
      const person = id.length > MAX_ID_LENGTH ? null : await people.find(id);
      if (person === null) throw new Failure(404, 'invalid', GONE);
      return { ...person, ...readConsent(person, context.fields) };
    },
  });
}

function csvRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  const { people } = store;
  const exports = memorySlots(MAX_EXPORTS, 'export');
  const download = (c: AppContext, caller: SignedIn | AuditAuthor, input: PeopleFilterInput) =>
    exports.run(c.req.raw, async () => {
      const filter = toFilter(input, router);
      await service.sessions.record(caller, 'export', (await people.count(filter)).count, nameFilter(filter));
      const columns = await fieldColumns(context.fields, people);
      return new Response(streamSignupsCsv(readConsents(people.all(filter), context.fields), columns), {
        headers: {
          ...fileHeaders('text/csv'),
          'Content-Disposition': 'attachment; filename="people.csv"',
        },
      });
    });
  const CSV = {
    path: PEOPLE_READS.csv,
    scope: 'people',
    needs: 'export',
    summary: 'The people who match as a CSV file, the oldest first.',
    responses: { 200: { 'text/csv': null } },
  } as const;
  route(router, {
    ...CSV,
    method: 'get',
    query: filterParams,
    respond: ({ c, query, caller }) => download(c, caller, query),
  });
  route(router, {
    ...CSV,
    method: 'post',
    isReadOnly: true,
    body: peopleFilter,
    respond: ({ c, body, caller }) => download(c, caller, body),
  });
}

function bulkRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'post',
    path: '/people/forget',
    summary: 'Erases people and everything about them.',
    body: idsBody,
    response: bulkResults,
    async respond({ caller, body: { ids } }) {
      const response = await forEachPerson(store, ids, FORGOTTEN_AT_ONCE, async (email) => {
        const forgotten = await forgetPerson({ store, email, copies: service.mailCopies, evenWhileSending: false });
        if (forgotten === null) return 'being-sent';
        if (!forgotten.traceless) return 'not-traceless';
        // Another admin erased the person first.
        return forgotten.erased === null && forgotten.files === 0 ? 'gone' : 'done';
      });
      await service.sessions.record(caller, 'forget', countResults(response, ['done', 'not-traceless']));
      return response;
    },
  });
  route(router, {
    method: 'post',
    path: '/people/unsubscribe',
    scope: 'people:write',
    summary: 'Unsubscribes people, who come back only by confirming a new signup.',
    body: idsBody,
    response: bulkResults,
    async respond({ caller, body: { ids } }) {
      const response = await forEachPerson(store, ids, 1, async (email) => {
        await store.list.changePerson(email, 'unsubscribe', 'admin');
        return 'done';
      });
      await service.sessions.record(caller, 'unsubscribe', countResults(response, ['done']));
      return response;
    },
  });
  route(router, {
    method: 'post',
    path: '/people/labels',
    scope: 'people:write',
    summary: 'Adds labels to people, and removes labels.',
    body: labelsBody,
    response: bulkResults,
    async respond({ caller, body: { ids, add, remove } }) {
      const response = await forEachPerson(store, ids, 1, async (email) => {
        const result = await store.list.changeLabels(email, { add, remove });
        return result === 'full' ? 'too-many' : result === 'gone' ? 'gone' : 'done';
      });
      await service.sessions.record(caller, 'label', countResults(response, ['done']));
      return response;
    },
  });
  route(router, {
    method: 'post',
    path: '/people/resend',
    summary: 'Queues the email that `resends` of a person names.',
    body: idsBody,
    response: bulkResults,
    async respond({ caller, body: { ids } }) {
      const response = await forEachPerson(store, ids, 1, async (email) => {
        const result = await store.mails.resend(email);
        return result === 'queued' ? 'done' : result === 'not-signed-up' ? 'gone' : result;
      });
      context.wakeMail();
      await service.sessions.record(caller, 'resend', countResults(response, ['done']));
      return response;
    },
  });
}

/** Sends an email to another address, whose owner can make it the person's. */
function correctRoute(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'post',
    path: '/people/:id/correct',
    scope: 'people:write',
    summary: 'Sends an email to another address, which becomes the person’s once its owner confirms it.',
    details: 'Until they open its link, the person keeps the old address. A second request replaces the first.',
    body: addressBody,
    refusals: { 404: GONE, 409: 'The address is on the list already, or the person has unsubscribed.' },
    async respond({ id, caller, body: { email } }) {
      const result = id.length > MAX_ID_LENGTH ? 'gone' : await store.list.correctAddress(id, normalizeEmail(email));
      if (result === 'gone') throw new Failure(404, 'invalid', GONE);
      if (result === 'on-list') throw new Failure(409, 'invalid', 'This address is already on the list.');
      if (result === 'unsubscribed') {
        throw new Failure(409, 'invalid', 'This person has unsubscribed, so their address cannot be corrected.');
      }
      context.wakeMail();
      await service.sessions.record(caller, 'correct', 1);
    },
  });
}

/** Adds a person like an import with one line. */
function addRoute(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'post',
    path: '/people',
    scope: 'people:add',
    summary: 'Adds a person who has agreed to it.',
    details:
      'A person who is on the list, or has unsubscribed, is not changed. The `source` is `admin`, or `api` for an API key.',
    body: newPerson,
    response: addedPerson,
    async respond({ caller, body: { email: entered, state, consent_text } }): Promise<AddedPersonResponse> {
      const email = normalizeEmail(entered);
      const source = 'id' in caller ? 'admin' : 'api';
      const person = { email, state, consent_text, source, created_at: service.clock() };
      const options = { welcome: state === 'pending', isByHand: true };
      const [result] = await store.list.importPeople([person], options);
      const listed = findListed(email, await store.people.listed([email]));
      if (listed === undefined) throw new Failure(404, 'invalid', GONE);
      if (result !== 'added') return { result: 'on-list', id: listed.id };
      context.wakeMail();
      await service.sessions.record(caller, 'add', 1);
      return { result: 'added', id: listed.id };
    },
  });
}

/** Returns bounced people to their previous state. */
function restoreRoute(router: AdminRouter): void {
  const { service, store } = router;
  route(router, {
    method: 'post',
    path: '/people/restore',
    summary: 'Restores the state of people whose address bounced. Sends no email.',
    details: 'With `count`, the filter says whom: the oldest first.',
    body: restoreBody,
    response: restored,
    async respond({ caller, body }) {
      const { ids, count, filter } = body;
      const who = ids === undefined ? { count, filter: toFilter(filter, router) } : { ids };
      const restored = await store.list.restoreBounced(who);
      await service.sessions.record(caller, 'restore', restored);
      return { restored };
    },
  });
}

/** Runs the action on a few people in parallel. Each one succeeds or fails independently. */
async function forEachPerson(
  { people }: Pick<Store, 'people'>,
  ids: readonly string[],
  atOnce: number,
  act: (email: string) => Promise<BulkResult>,
): Promise<BulkResponse> {
  const actById = async (id: string) => {
    const person = await people.find(id);
    return { id, result: person === null ? 'gone' : await act(normalizeEmail(person.email)) } as const;
  };
  const results: BulkResponse['results'][number][] = [];
  for (let start = 0; start < ids.length; start += atOnce) {
    results.push(...(await Promise.all(ids.slice(start, start + atOnce).map(actById))));
  }
  return { results };
}

function countResults({ results }: BulkResponse, counted: readonly BulkResult[]): number {
  return results.filter(({ result }) => counted.includes(result)).length;
}
