import { parseSessionStart, type SessionRecord } from 'early-access-kit/core';
import {
  createTimeline,
  type ExportedPerson,
  isPersonId,
  type Log,
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
} from 'early-access-server/stores';
import {
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
} from 'firebase-admin/firestore';
import { readContent } from '../campaigns/campaigns.ts';
import { countDocuments, documentsNamed, pages, transact, withStorageErrors } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { textOrNull } from '../fields.ts';
import { correctionRef } from '../list/corrections.ts';
import { getPublicId, signupIdOfDocument, toListed } from '../list/person.ts';
import { readMessage } from '../mail/message-document.ts';
import { toRecord } from '../sessions.ts';
import { type Cursors, openCursors } from './cursors.ts';
import { filtered, findInList, inOrder, isScanned, lastMessageRef, matching, toPerson } from './queries.ts';

/**
 * The most people that one page reads. Firestore has no index for parts of an address, and the state of an email is in another document,
 * so a search and a filter by state read people in the order of the list. A page may then have fewer people than requested, or none, and
 * `next` continues. If the first page of a search ends early, people whose address starts with the search are added out of order, because
 * an index finds them.
 */
const MAX_SCANNED = 1_000;
/** The most people that `count` reads if the filter has a search or a state of the email. */
const MAX_COUNTED = 10_000;
/** Documents that one call reads by their ids. */
const PAGE = 200;

interface PeopleReader {
  readonly firestore: Firestore;
  readonly cursors: Cursors;
  readonly maxScanned: number;
  readonly maxCounted: number;
}

export function firestorePeople(
  firestore: Firestore,
  { maxScanned = MAX_SCANNED, maxCounted = MAX_COUNTED, log = silentLog } = {},
): PeopleStore {
  const signups = firestore.collection(COLLECTIONS.signups);
  const reader = { firestore, cursors: openCursors(firestore), maxScanned, maxCounted };
  return withStorageErrors({
    list: (query) => listPeople(reader, query),
    all: (filter) => readAll(firestore, filter),
    count: (filter) => countPeople(reader, filter),
    find: (id) => findPerson(firestore, id, log),
    sources: () => readSources(signups),
    haveFields: () => haveFields(signups),
    async listed(emails) {
      const ofMailboxes = await findInList(signups, 'mailbox', emails.map(mailboxKey));
      // Those that are not enrolled yet have no mailbox.
      const listed = toListed([...ofMailboxes, ...(await findInList(signups, 'email', emails))]);
      return new Map([...listed].map(([email, { signupId: _, ...person }]) => [email, person]));
    },
  });
}

async function listPeople(reader: PeopleReader, query: PeopleQuery): Promise<PeoplePage> {
  const { firestore, cursors, maxScanned } = reader;
  const { limit, sort, after } = query;
  const position = after === null ? null : await cursors.read(after, sort);
  const all = inOrder(filtered(firestore.collection(COLLECTIONS.signups), query, sort), sort);
  const rest = position === null ? all : all.startAfter(...position.after);
  let startsShown = position?.startsShown ?? false;
  const people: Person[] = [];
  let scanned = 0;
  let lastMatch: DocumentSnapshot | undefined;
  for await (const page of pages(rest, isScanned(query) ? PAGE : limit + 1)) {
    for (const { document, person } of await matching(firestore, await withPublicIds(firestore, page), query)) {
      // Their document was after the page before, too, if they have unsubscribed since.
      if (signupIdOfDocument(document.id) === position?.signupId) continue;
      if (startsShown && person.email.startsWith(query.search)) continue;
      if (people.length === limit) return { people, next: await cursors.write(lastMatch, sort, startsShown) };
      people.push(person);
      lastMatch = document;
    }
    scanned += page.length;
    if (scanned < maxScanned) continue;
    if (query.search !== '' && position === null) {
      const ids = new Set(people.map(({ id }) => id));
      const starts = (await findStarting(firestore, query))?.filter(({ id }) => !ids.has(id));
      if (starts !== undefined && people.length + starts.length <= limit) {
        startsShown = true;
        people.push(...starts);
      }
    }
    return { people, next: await cursors.write(page.at(-1), sort, startsShown) };
  }
  return { people, next: null };
}

/** The people whose address starts with the search; null if there may be more of them than a page has. */
async function findStarting(firestore: Firestore, query: PeopleQuery): Promise<Person[] | null> {
  const { search, limit } = query;
  const { docs } = await inOrder(filtered(firestore.collection(COLLECTIONS.signups), query, 'email'), 'email')
    .startAt(search)
    .endBefore(`${search}\u{10ffff}`)
    .limit(limit + 1)
    .get();
  if (docs.length > limit) return null;
  const identified = await withPublicIds(firestore, docs);
  return (await matching(firestore, identified, query)).map(({ person }) => person);
}

async function* readAll(firestore: Firestore, filter: PeopleFilter): AsyncGenerator<ExportedPerson, void, void> {
  let last = '';
  const query = inOrder(filtered(firestore.collection(COLLECTIONS.signups), filter, 'oldest'), 'oldest');
  for await (const page of pages(query, PAGE)) {
    for (const { document, person } of await matching(firestore, await withPublicIds(firestore, page), filter)) {
      const id = signupIdOfDocument(document.id);
      // They have unsubscribed since the page before.
      if (id === last) continue;
      yield { ...person, ...toExported(document) };
      last = id;
    }
  }
}

async function countPeople({ firestore, maxCounted }: PeopleReader, filter: PeopleFilter): Promise<number> {
  const query = filtered(firestore.collection(COLLECTIONS.signups), filter, 'newest');
  if (!isScanned(filter)) return countDocuments(query);
  let people = 0;
  let scanned = 0;
  for await (const page of pages(inOrder(query, 'newest'), PAGE)) {
    people += (await matching(firestore, page, filter)).length;
    scanned += page.length;
    if (scanned >= maxCounted) break;
  }
  return people;
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
    session: await findSession(firestore, person.session_id, log),
    page_views: [],
    ...toExported(signup),
    new_email: readMessage(correction)?.recipient ?? null,
    share: null,
    timeline: createTimeline(person, signup.get('timeline'), await readEmails(firestore, id)),
  };
}

function toExported(signup: DocumentSnapshot): Pick<ExportedPerson, 'language' | 'import_id'> {
  return { language: textOrNull(signup, 'language'), import_id: textOrNull(signup, 'import_id') };
}

/** The emails of a person for their timeline. Reads the campaigns that they belong to, for their subjects. */
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
 * Reads everyone if nobody has fields: an index of `fields` would have an entry for each value of each person. An export, which alone asks
 * this, reads everyone anyway.
 */
async function haveFields(signups: Query): Promise<boolean> {
  const all = signups.orderBy(FieldPath.documentId()).select('fields');
  for await (const page of pages(all, PAGE)) {
    if (page.some((signup) => signup.get('fields') !== undefined)) return true;
  }
  return false;
}

/** Each read jumps to the next value, so that as many are billed as there are sources. */
async function readSources(signups: Query): Promise<readonly string[]> {
  const sources: string[] = [];
  while (sources.length < MAX_SOURCES) {
    const rest = signups.orderBy('source').startAfter(sources.at(-1) ?? '');
    const source: unknown = (await rest.limit(1).get()).docs[0]?.get('source');
    if (typeof source !== 'string') break;
    sources.push(source);
  }
  return sources;
}

/**
 * Stores a public id with people whom the application has not enrolled yet, so that an admin can act on them. Returns the documents as they
 * are then, in the same order.
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

async function findSession(firestore: Firestore, sessionId: string | null, log: Log): Promise<SessionRecord | null> {
  const [session] = documentsNamed(firestore, COLLECTIONS.sessions, [sessionId], log);
  const stored = await session?.get();
  const [visitor] = documentsNamed(firestore, COLLECTIONS.visitors, [stored?.get('visitor_id')], log);
  if (!stored?.exists || visitor === undefined) return null;
  return toRecord(parseSessionStart({ ...stored.data(), id: stored.id }), stored);
}
