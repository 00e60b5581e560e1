import { normalizeEmail } from 'early-access-kit/core';
import type { BulkResponse, BulkResult, PeopleResponse } from '../../app/admin/admin-api.ts';
import { forgetPerson } from '../../app/forget.ts';
import { fieldColumns, streamSignupsCsv } from '../../app/signups-csv.ts';
import { Failure } from '../failure.ts';
import {
  bulkResults,
  counted,
  idsBody,
  peopleFilter,
  peoplePage,
  peopleQuery,
  personRecord,
  sourceList,
} from '../schemas/people.ts';
import { baseHeaders, NO_STORE } from '../security-headers.ts';
import type { AdminRouter } from './admin-context.ts';
import { memorySlots } from './memory-slots.ts';
import { filterOf, pageOf } from './people-input.ts';

/** The pages of the list that they hold in memory wait for the slowest reader. */
const MAX_EXPORTS = 4;

/** The people on the list: pages, records, the CSV, and what an admin may do with them. */
export function peopleRoutes({ read, post, json, service, store, context, https }: AdminRouter): void {
  const { people, mails } = store;

  const list = { summary: 'A page of the list.', query: peopleQuery, responses: { 200: peoplePage } };
  read('people', '/people', list, async ({ query }) => {
    const page: PeopleResponse = await people.list(pageOf(query, service.clock()));
    return json(page);
  });

  const count = { summary: 'How many people match.', query: peopleFilter, responses: { 200: counted } };
  read('people', '/people/count', count, async ({ query }) =>
    json({ count: await people.count(filterOf(query, service.clock())) }),
  );

  const sources = { summary: 'The distinct sources, at most 100.', responses: { 200: sourceList } };
  read('people', '/people/sources', sources, async () => json({ sources: await people.sources() }));

  const csv = {
    summary: 'The people who match as a CSV file, the oldest first.',
    query: peopleFilter,
    responses: { 200: { 'text/csv': null } },
  };
  const exports = memorySlots(MAX_EXPORTS, 'export');
  read('people', '/people.csv', csv, ({ c, query, author }) =>
    exports.run(c.req.raw, async () => {
      const filter = filterOf(query, service.clock());
      await service.sessions.record(author, 'export', await people.count(filter));
      const columns = await fieldColumns(context.fields, people);
      return new Response(streamSignupsCsv(people.all(filter), columns), {
        headers: {
          ...baseHeaders(https),
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="people.csv"',
          'Cache-Control': NO_STORE,
        },
      });
    }),
  );

  const find = {
    summary: 'A person, with the session in which they signed up.',
    responses: { 200: personRecord },
    refusals: { 404: 'This person is no longer on the list.' },
  };
  read('people', '/people/:id', find, async ({ c }) => {
    const person = await people.find(idOf(c.req.param('id')));
    if (person === null) throw new Failure(404, 'invalid', 'this person is no longer on the list');
    return json(person);
  });

  /** One person after the other; each is done or not, whatever happens to the others. */
  async function forEach(ids: readonly string[], act: (email: string) => Promise<BulkResult>): Promise<BulkResponse> {
    const results = [];
    for (const id of ids) {
      const person = await people.find(id);
      results.push({ id, result: person === null ? 'gone' : await act(normalizeEmail(person.email)) } as const);
    }
    return { results };
  }

  const forget = {
    summary: 'Erases people and everything about them.',
    body: idsBody,
    responses: { 200: bulkResults },
  };
  post('/people/forget', forget, async ({ session, body: { ids } }) => {
    const response = await forEach(ids, async (email) => {
      const forgotten = await forgetPerson({ store, email, copies: service.mailCopies, evenWhileSending: false });
      if (forgotten === null) return 'being-sent';
      if (!forgotten.traceless) return 'not-traceless';
      // Another admin was faster.
      return forgotten.erased === null && forgotten.files === 0 ? 'gone' : 'done';
    });
    await service.sessions.record(session, 'forget', countOf(response, ['done', 'not-traceless']));
    return json(response);
  });

  const resend = {
    summary: 'Queues the first email to these people again.',
    body: idsBody,
    responses: { 200: bulkResults },
  };
  post('/people/resend', resend, async ({ session, body: { ids } }) => {
    const response = await forEach(ids, async (email) => {
      const result = await mails.resend(email);
      return result === 'queued' ? 'done' : result === 'not-signed-up' ? 'gone' : result;
    });
    context.wakeMail();
    await service.sessions.record(session, 'resend', countOf(response, ['done']));
    return json(response);
  });
}

function countOf({ results }: BulkResponse, counted: readonly BulkResult[]): number {
  return results.filter(({ result }) => counted.includes(result)).length;
}

const MAX_ID_LENGTH = 100;

function idOf(id: string | undefined): string {
  if (id === undefined || id.length > MAX_ID_LENGTH) throw new Failure(404, 'invalid', 'there is no such person');
  return id;
}
