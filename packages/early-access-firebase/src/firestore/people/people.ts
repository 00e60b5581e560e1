import { parseSessionStart } from 'early-access-kit/internal';
import {
  createTimeline,
  type ExportedPerson,
  isPersonId,
  type Log,
  listLabels,
  MAX_LABEL_SETS,
  MAX_SOURCES,
  MAX_TIMELINE_EMAILS,
  mailboxKey,
  type PeopleFilter,
  type PeoplePage,
  type PeopleQuery,
  type PeopleStore,
  type Person,
  type PersonRecord,
  silentLog,
} from 'early-access-server/internal';
import {
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
} from 'firebase-admin/firestore';
import { viewedPaths } from '../analytics/documents.ts';
import { readContent } from '../campaigns/content.ts';
import { documentsNamed, pages, transact, withStorageErrors } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { correctionRef } from '../list/corrections.ts';
import { getPublicId, signupIdOfDocument, toListed } from '../list/person.ts';
import { readMessage } from '../message-document.ts';
import { toRecord } from '../sessions.ts';
import { readReferrals } from '../share/share-store.ts';
import { type Cursors, openCursors } from './cursors.ts';
import {
  countMatching,
  filtered,
  findInList,
  type IndexedFilter,
  indexedFilter,
  inOrder,
  isScanned,
  lastMessageRef,
  MAX_COUNTED,
  matching,
  PAGE,
  toExported,
  toPerson,
} from './queries.ts';

/**
 * Maximum number of people that one page reads. Firestore has no index for parts of an address and for most conditions,
 * and the state of an email is in another document, so such a filter reads people in the order of the list. A page may
 * then have fewer people than requested, or none, and `next` continues. If the first page of a search reaches the
 * limit, people whose address starts with the search are added out of order, because an index finds them.
 */
const MAX_SCANNED = 1_000;

interface PeopleReader {
  readonly firestore: Firestore;
  readonly cursors: Cursors;
  readonly maxScanned: number;
}

export function firestorePeople(
  firestore: Firestore,
  { maxScanned = MAX_SCANNED, maxCounted = MAX_COUNTED, log = silentLog } = {},
): PeopleStore {
  const signups = firestore.collection(COLLECTIONS.signups);
  const reader = { firestore, cursors: openCursors(firestore), maxScanned };
  return withStorageErrors({
    list: (query) => listPeople(reader, query),
    all: (filter) => readAll(firestore, filter),
    count: (filter) => countMatching(signups, indexedFilter(filter), maxCounted),
    find: (id) => findPerson(firestore, id, log),
    sources: () => readValues(signups, 'source', MAX_SOURCES),
    labels: async () => listLabels(await readValues(signups, 'labels', MAX_LABEL_SETS)),
    haveFields: () => haveFields(signups),
    async listed(emails) {
      const ofMailboxes = await findInList(signups, 'mailbox', emails.map(mailboxKey));
      // Needed for people who are not enrolled yet, because they have no mailbox.
      const listed = toListed([...ofMailboxes, ...(await findInList(signups, 'email', emails))]);
      return new Map([...listed].map(([email, { signupId: _, ...person }]) => [email, person]));
    },
  });
}

async function listPeople(reader: PeopleReader, query: PeopleQuery): Promise<PeoplePage> {
  const { firestore, cursors, maxScanned } = reader;
  const { limit, sort, after, search } = query;
  const filter = indexedFilter(query);
  const position = after === null ? null : await cursors.read(after, sort);
  const all = inOrder(filtered(firestore.collection(COLLECTIONS.signups), filter, sort), sort);
  const rest = position === null ? all : all.startAfter(...position.after);
  let startsShown = position?.startsShown ?? false;
  const people: Person[] = [];
  let scanned = 0;
  let lastMatch: DocumentSnapshot | undefined;
  for await (const page of pages(rest, isScanned(filter) ? PAGE : limit + 1)) {
    for (const { document, person } of await matching(firestore, await withPublicIds(firestore, page), filter)) {
      // The person was already listed, and unsubscribed since, which moved their document.
      if (signupIdOfDocument(document.id) === position?.signupId) continue;
      if (startsShown && person.email.startsWith(search)) continue;
      if (people.length === limit) return { people, next: await cursors.write(lastMatch, sort, startsShown) };
      people.push(person);
      lastMatch = document;
    }
    scanned += page.length;
    if (scanned < maxScanned) continue;
    if (search !== '' && position === null) {
      const ids = new Set(people.map(({ id }) => id));
      const starts = (await findStarting(firestore, filter, limit))?.filter(({ id }) => !ids.has(id));
      if (starts !== undefined && people.length + starts.length <= limit) {
        startsShown = true;
        people.push(...starts);
      }
    }
    return { people, next: await cursors.write(page.at(-1), sort, startsShown) };
  }
  return { people, next: null };
}

/** Returns the people whose address starts with the search; null if there may be more than fit on a page. */
async function findStarting(firestore: Firestore, filter: IndexedFilter, limit: number): Promise<Person[] | null> {
  const { search } = filter;
  const { docs } = await inOrder(filtered(firestore.collection(COLLECTIONS.signups), filter, 'email'), 'email')
    .startAt(search)
    .endBefore(`${search}\u{10ffff}`)
    .limit(limit + 1)
    .get();
  if (docs.length > limit) return null;
  const identified = await withPublicIds(firestore, docs);
  return (await matching(firestore, identified, filter)).map(({ person }) => person);
}

async function* readAll(firestore: Firestore, whom: PeopleFilter): AsyncGenerator<ExportedPerson, void, void> {
  const filter = indexedFilter(whom);
  let last = '';
  const query = inOrder(filtered(firestore.collection(COLLECTIONS.signups), filter, 'oldest'), 'oldest');
  for await (const page of pages(query, PAGE)) {
    for (const { document, person } of await matching(firestore, await withPublicIds(firestore, page), filter)) {
      const id = signupIdOfDocument(document.id);
      // The person was already listed, and unsubscribed since the last page.
      if (id === last) continue;
      yield { ...person, ...toExported(document) };
      last = id;
    }
  }
}

async function findPerson(firestore: Firestore, personId: string, log: Log): Promise<PersonRecord | null> {
  const [signup] = await findInList(
    firestore.collection(COLLECTIONS.signups),
    'person_id',
    [personId].filter(isPersonId),
  );
  if (signup === undefined) return null;
  const id = signupIdOfDocument(signup.id);
  const [last, correction] = await firestore.getAll(lastMessageRef(firestore, signup), correctionRef(firestore, id));
  const person = toPerson(signup, last);
  return {
    ...person,
    ...(await findSession(firestore, person.session_id, log)),
    ...toExported(signup),
    new_email: readMessage(correction)?.recipient ?? null,
    share: await readReferrals(firestore, signup),
    timeline: createTimeline(person, signup.get('timeline'), await readEmails(firestore, id)),
  };
}

/** Returns the emails of a person for their timeline, including the subjects of campaigns. */
async function readEmails(firestore: Firestore, id: string) {
  const messages = firestore.collection(COLLECTIONS.mails).where('signup_id', '==', id);
  const { docs } = await messages.limit(MAX_TIMELINE_EMAILS).get();
  const emails = docs.flatMap((document) => readMessage(document) ?? []);
  const campaignIds = [...new Set(emails.flatMap(({ campaign_id }) => campaign_id ?? []))];
  const refs = campaignIds.map((campaign) => firestore.collection(COLLECTIONS.campaigns).doc(campaign));
  const campaigns = refs.length === 0 ? [] : await firestore.getAll(...refs);
  return emails.map(({ kind, state, reason, changed_at: at, campaign_id }) => {
    const campaign = campaigns.find((document) => document.id === campaign_id);
    return { at, kind, state, reason, subject: campaign?.exists ? readContent(campaign).subject : null };
  });
}

/**
 * If nobody has fields, this reads everyone, because an index of `fields` would have an entry for each value of each
 * person. Only an export calls it, which reads everyone anyway.
 */
async function haveFields(signups: Query): Promise<boolean> {
  const all = signups.orderBy(FieldPath.documentId()).select('fields');
  for await (const page of pages(all, PAGE)) {
    if (page.some((signup) => signup.get('fields') !== undefined)) return true;
  }
  return false;
}

/** Each read jumps to the next value, so one read is billed per value. */
async function readValues(signups: Query, field: string, max: number): Promise<readonly string[]> {
  const values: string[] = [];
  while (values.length < max) {
    const rest = signups.orderBy(field).startAfter(values.at(-1) ?? '');
    const value: unknown = (await rest.limit(1).get()).docs[0]?.get(field);
    if (typeof value !== 'string') break;
    values.push(value);
  }
  return values;
}

/**
 * Adds a public id to people who are not enrolled yet, so that an admin can act on them. Returns the updated documents
 * in the same order.
 */
async function withPublicIds(firestore: Firestore, documents: readonly QueryDocumentSnapshot[]) {
  const refs = documents.filter((document) => document.get('person_id') === undefined).map(({ ref }) => ref);
  if (refs.length === 0) return documents;
  await transact(firestore, async (tx) => {
    for (const signup of await tx.getAll(...refs)) {
      if (signup.exists && signup.get('person_id') === undefined) {
        tx.update(signup.ref, { person_id: getPublicId(signup) });
      }
    }
  });
  const stored = new Map((await firestore.getAll(...refs)).map((document) => [document.id, document]));
  return documents.map((document) => stored.get(document.id) ?? document).filter(({ exists }) => exists);
}

async function findSession(
  firestore: Firestore,
  sessionId: string | null,
  log: Log,
): Promise<Pick<PersonRecord, 'session' | 'page_views'>> {
  const [session] = documentsNamed(firestore, COLLECTIONS.sessions, [sessionId], log);
  const stored = await session?.get();
  const [visitor] = documentsNamed(firestore, COLLECTIONS.visitors, [stored?.get('visitor_id')], log);
  const data = stored?.data();
  if (stored === undefined || data === undefined || visitor === undefined) return { session: null, page_views: [] };
  return {
    session: {
      ...toRecord(parseSessionStart({ ...data, id: stored.id }), stored),
      ...(typeof data.country === 'string' && { country: data.country }),
    },
    page_views: viewedPaths(data),
  };
}
