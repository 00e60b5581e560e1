import { normalizeEmail } from 'early-access-kit/core';
import type { BulkResponse, BulkResult, PeopleResponse } from '../../app/admin/admin-api.ts';
import type { Person } from '../../app/admin/people.ts';
import { forgetPerson } from '../../app/forget.ts';
import { type SignupRow, streamSignupsCsv } from '../../app/signups-csv.ts';
import { Failure } from '../failure.ts';
import { baseHeaders } from '../security-headers.ts';
import type { AdminRouter } from './admin-context.ts';
import { readFilter, readIds, readPeopleQuery } from './people-input.ts';

/** The people on the list: pages, records, the CSV, and what an admin may do with them. */
export function peopleRoutes({ get, post, json, service, store, context, https }: AdminRouter): void {
  const { people, mails } = store;

  get('/people', async (c) => {
    const page: PeopleResponse = await people.list(readPeopleQuery(c, service.clock()));
    return json(page);
  });

  get('/people/count', async (c) => json({ count: await people.count(readFilter(c, service.clock())) }));

  get('/people/sources', async () => json({ sources: await people.sources() }));

  get('/people.csv', async (c, session) => {
    const filter = readFilter(c, service.clock());
    await service.sessions.record(session, 'export', await people.count(filter));
    return new Response(streamSignupsCsv(rowsOf(people.all(filter))), {
      headers: {
        ...baseHeaders(https),
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="people.csv"',
        'Cache-Control': 'no-store',
      },
    });
  });

  get('/people/:id', async (c) => {
    const person = await people.find(idOf(c.req.param('id')));
    if (person === null) throw new Failure(404, 'invalid', 'this person is not on the list (any more)');
    return json(person);
  });

  /** One person after the other; each is done or not, whatever happens to the others. */
  async function forEach(body: unknown, act: (email: string) => Promise<BulkResult>): Promise<BulkResponse> {
    const results = [];
    for (const id of readIds(body)) {
      const person = await people.find(id);
      results.push({ id, result: person === null ? 'gone' : await act(normalizeEmail(person.email)) } as const);
    }
    return { results };
  }

  post('/people/forget', async (_, session, body) => {
    const response = await forEach(body, async (email) => {
      const forgotten = await forgetPerson({ store, email, copies: service.mailCopies, evenWhileSending: false });
      if (forgotten === null) return 'being-sent';
      if (!forgotten.traceless) return 'not-traceless';
      // Another admin was faster.
      return forgotten.erased === null && forgotten.files === 0 ? 'gone' : 'done';
    });
    await service.sessions.record(session, 'forget', countOf(response, ['done', 'not-traceless']));
    return json(response);
  });

  post('/people/resend', async (_, session, body) => {
    const response = await forEach(body, async (email) => {
      const result = await mails.resend(email);
      return result === 'queued' ? 'done' : result === 'not-signed-up' ? 'gone' : result;
    });
    context.wakeMail();
    await service.sessions.record(session, 'resend', countOf(response, ['done']));
    return json(response);
  });
}

async function* rowsOf(people: Iterable<Person> | AsyncIterable<Person>): AsyncGenerator<SignupRow> {
  for await (const person of people) yield { ...person, created_at: new Date(person.created_at) };
}

function countOf({ results }: BulkResponse, counted: readonly BulkResult[]): number {
  return results.filter(({ result }) => counted.includes(result)).length;
}

const MAX_ID_LENGTH = 100;

function idOf(id: string | undefined): string {
  if (id === undefined || id.length > MAX_ID_LENGTH) throw new Failure(404, 'invalid', 'there is no such person');
  return id;
}
