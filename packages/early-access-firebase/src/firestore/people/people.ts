import { parseSessionStart, type SessionRecord } from 'early-access-kit/core';
import {
  isPersonId,
  type Log,
  MAX_SOURCES,
  newToken,
  type PeopleFilter,
  type PeoplePage,
  type PeopleQuery,
  type PeopleSort,
  type PeopleStore,
  type Person,
  type PersonMail,
  readCursor,
  silentLog,
  writeCursor,
} from 'early-access-server/stores';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
} from 'firebase-admin/firestore';
import { COLLECTIONS, type DocumentReader, documentsNamed, orStorageError, pages, transact } from '../database.ts';
import { text, timestamp } from '../fields.ts';
import { lastMessageId, publicIdOf, signupIdOfDocument, storedState } from '../list/person.ts';
import { readMessage } from '../mail/message-document.ts';
import { toRecord } from '../sessions.ts';
import { signupTime, toSignup } from '../signups.ts';

/**
 * Firestore has no index for parts of an address, and the state of an email is in another document. So a search and a filter by state go
 * through the people in the order of the list, at most so many for each page. A page may then have fewer people than asked for, or
 * none, and `next` goes on. If the first page of a search ends early, those whose address starts with the search come with it, out
 * of order, because an index finds them.
 */
const MAX_SCANNED = 1_000;
/** Among so many people `count` counts if the filter has a search or a state of the email. */
const MAX_COUNTED = 10_000;
/** Firestore reads so many documents by their ids at once. */
const PAGE = 200;
/** Values of one `in`. */
const MAX_VALUES = 30;

const ORDERS = {
  newest: ['created_at', 'desc'],
  oldest: ['created_at', 'asc'],
  email: ['email', 'asc'],
} as const satisfies Record<PeopleSort, readonly [string, 'asc' | 'desc']>;

export function firestorePeople(
  firestore: Firestore,
  { maxScanned = MAX_SCANNED, maxCounted = MAX_COUNTED, log = silentLog } = {},
): PeopleStore {
  const signups = firestore.collection(COLLECTIONS.signups);
  const cursors = cursorsOf(firestore);

  async function list(query: PeopleQuery): Promise<PeoplePage> {
    const { limit, sort, after } = query;
    const position = after === null ? null : await cursors.read(after, sort);
    const all = inOrder(filtered(signups, query, sort), sort);
    const rest = position === null ? all : all.startAfter(...position.after);
    let startsShown = position?.startsShown ?? false;
    const people: Person[] = [];
    let scanned = 0;
    let lastMatch: DocumentSnapshot | undefined;
    for await (const page of pages(rest, isScanned(query) ? PAGE : limit + 1)) {
      const identified = await withPublicIds(firestore, page);
      for (const { document, person } of await matching(firestore, firestore, identified, query)) {
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
        const starts = (await startingWith(query))?.filter(({ id }) => !ids.has(id));
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
  async function startingWith(query: PeopleQuery): Promise<Person[] | null> {
    const { search, limit } = query;
    const { docs } = await inOrder(filtered(signups, query, 'email'), 'email')
      .startAt(search)
      .endBefore(`${search}\u{10ffff}`)
      .limit(limit + 1)
      .get();
    if (docs.length > limit) return null;
    const identified = await withPublicIds(firestore, docs);
    return (await matching(firestore, firestore, identified, query)).map(({ person }) => person);
  }

  async function* all(filter: PeopleFilter): AsyncGenerator<Person, void, void> {
    let last = '';
    for await (const page of pages(inOrder(filtered(signups, filter, 'oldest'), 'oldest'), PAGE)) {
      const identified = await withPublicIds(firestore, page);
      for (const { document, person } of await matching(firestore, firestore, identified, filter)) {
        const id = signupIdOfDocument(document.id);
        // They have unsubscribed since the page before.
        if (id === last) continue;
        yield person;
        last = id;
      }
    }
  }

  async function count(filter: PeopleFilter): Promise<number> {
    if (!isScanned(filter)) return (await filtered(signups, filter, 'newest').count().get()).data().count;
    let people = 0;
    let scanned = 0;
    for await (const page of pages(inOrder(filtered(signups, filter, 'newest'), 'newest'), PAGE)) {
      people += (await matching(firestore, firestore, page, filter)).length;
      scanned += page.length;
      if (scanned >= maxCounted) break;
    }
    return people;
  }

  return {
    list: (query) => orStorageError(() => list(query)),
    all,
    count: (filter) => orStorageError(() => count(filter)),
    find: (id) =>
      orStorageError(async () => {
        const [signup] = await findInList(signups, 'person_id', [id].filter(isPersonId));
        if (signup === undefined) return null;
        const person = toPerson(signup, await messageOf(firestore, signup).get());
        return { ...person, session: await findSession(firestore, person.session_id, log) };
      }),
    sources: () =>
      orStorageError(async () => {
        const sources: string[] = [];
        // Each read jumps to the next value, so that as many are billed as there are sources.
        while (sources.length < MAX_SOURCES) {
          const rest = signups.orderBy('source').startAfter(sources.at(-1) ?? '');
          const source: unknown = (await rest.limit(1).get()).docs[0]?.get('source');
          if (typeof source !== 'string') break;
          sources.push(source);
        }
        return sources;
      }),
    haveFields: () => orStorageError(async () => !(await signups.orderBy('fields').limit(1).get()).empty),
    listed: (emails) =>
      orStorageError(async () => {
        const found = await findInList(signups, 'email', emails);
        return new Set(found.map((document) => toSignup(document).email));
      }),
  };
}

/** The documents whose field has one of the values, by its index. */
export async function findInList(
  collection: Query,
  field: string,
  values: readonly string[],
): Promise<readonly QueryDocumentSnapshot[]> {
  const distinct = [...new Set(values)];
  const found: QueryDocumentSnapshot[] = [];
  for (let start = 0; start < distinct.length; start += MAX_VALUES) {
    found.push(...(await collection.where(field, 'in', distinct.slice(start, start + MAX_VALUES)).get()).docs);
  }
  return found;
}

/**
 * Stores a public id with people whom the application has not enrolled yet, so that an admin can act on them. Returns the documents as they
 * are then, in the same order.
 */
async function withPublicIds(
  firestore: Firestore,
  documents: readonly QueryDocumentSnapshot[],
): Promise<readonly DocumentSnapshot[]> {
  const refs = documents.filter((document) => document.get('person_id') === undefined).map(({ ref }) => ref);
  if (refs.length === 0) return documents;
  await transact(firestore, async (transaction) => {
    for (const signup of await transaction.getAll(...refs)) {
      if (signup.exists && signup.get('person_id') === undefined) {
        transaction.update(signup.ref, { person_id: publicIdOf(signup) });
      }
    }
  });
  const stored = new Map((await firestore.getAll(...refs)).map((document) => [document.id, document]));
  return documents.map((document) => stored.get(document.id) ?? document).filter(({ exists }) => exists);
}

/** The people of these documents, which `filtered` found, whom the filter matches. Reads the messages of those only whose signup does. */
export async function matching(
  firestore: Firestore,
  reader: DocumentReader,
  documents: readonly DocumentSnapshot[],
  filter: PeopleFilter,
) {
  const found = documents.filter((document) => matchesSignup(document, filter));
  const refs = found.map((document) => messageOf(firestore, document));
  const messages = refs.length === 0 ? [] : await reader.getAll(...refs);
  return found
    .map((document, index) => ({ document, person: toPerson(document, messages[index]) }))
    .filter(({ person: { mail } }) => filter.mail === null || filter.mail === (mail?.state ?? 'none'));
}

/** The person's last message apart from campaigns. */
function messageOf(firestore: Firestore, signup: DocumentSnapshot): DocumentReference {
  return firestore.collection(COLLECTIONS.mails).doc(lastMessageId(signup));
}

/** Whether people have to be read to know if they match. */
export function isScanned({ search, mail }: PeopleFilter): boolean {
  return search !== '' || mail !== null;
}

/**
 * The people whom indexes find. In the order of addresses there is no index of times. People whose state is not stored yet count as
 * subscribed, but a filter by state does not find them.
 */
export function filtered(signups: Query, { source, state, from, to }: PeopleFilter, sort: PeopleSort): Query {
  const ofSource = source === null ? signups : signups.where('source', '==', source);
  const query = state === null ? ofSource : ofSource.where('state', '==', state);
  return sort === 'email' ? query : madeWithin(query, from, to);
}

function madeWithin(signups: Query, from: number | null, to: number | null): Query {
  let query = signups;
  if (from !== null) query = query.where('created_at', '>=', Timestamp.fromMillis(from));
  if (to !== null) query = query.where('created_at', '<', Timestamp.fromMillis(to));
  return query;
}

export function inOrder(query: Query, sort: PeopleSort): Query {
  const [field, direction] = ORDERS[sort];
  return query.orderBy(field, direction).orderBy(FieldPath.documentId(), direction);
}

/** Whether the signup matches the part of the filter that no index has found. */
function matchesSignup(signup: DocumentSnapshot, { search, from, to }: PeopleFilter): boolean {
  const at = signupTime(signup.data() ?? {});
  return String(signup.get('email')).includes(search) && (from === null || at >= from) && (to === null || at < to);
}

function toPerson(signup: DocumentSnapshot, message: DocumentSnapshot | undefined): Person {
  const { submission_id: _, ...fields } = toSignup(signup);
  const state = storedState(signup) ?? 'subscribed';
  return { id: publicIdOf(signup), ...fields, state, mail: toMail(message) };
}

function toMail(message: DocumentSnapshot | undefined): PersonMail | null {
  const stored = readMessage(message);
  if (stored === null) return null;
  const { state, attempts, reason, next_attempt_at, changed_at } = stored;
  return { state, attempts, reason, next_attempt_at, changed_at };
}

async function findSession(firestore: Firestore, sessionId: string | null, log: Log): Promise<SessionRecord | null> {
  const [session] = documentsNamed(firestore, COLLECTIONS.sessions, [sessionId], log);
  const data = (await session?.get())?.data();
  const [visitor] = documentsNamed(firestore, COLLECTIONS.visitors, [data?.visitor_id], log);
  if (session === undefined || data === undefined || visitor === undefined) return null;
  return toRecord(parseSessionStart({ ...data, id: session.id }), data);
}

/** Where a page of the list ended. */
interface Position {
  /** Whether the people whose address starts with the search have been listed. */
  readonly startsShown: boolean;
  /** The values of the order, to start after. */
  readonly after: readonly [Timestamp | string, string];
  readonly signupId: string;
}

/** Cursors that every process can read: the first one that needs the key makes it. */
function cursorsOf(firestore: Firestore) {
  const ref = firestore.collection(COLLECTIONS.keys).doc('cursors');
  let key: Uint8Array | undefined;

  async function readKey(): Promise<Uint8Array> {
    const stored = await transact(firestore, async (transaction) => {
      const document = await transaction.get(ref);
      if (document.exists) return text(document, 'key');
      const made = newToken();
      transaction.create(ref, { key: made });
      return made;
    });
    return Buffer.from(stored, 'base64url');
  }

  return {
    /** Null if the page has no last document, and so no next page. */
    async write(
      document: DocumentSnapshot | undefined,
      sort: PeopleSort,
      startsShown: boolean,
    ): Promise<string | null> {
      if (document === undefined) return null;
      key ??= await readKey();
      const [field] = ORDERS[sort];
      const last =
        field === 'email'
          ? [text(document, field)]
          : [timestamp(document, field).seconds, timestamp(document, field).nanoseconds];
      return writeCursor(key, sort, [Number(startsShown), document.id, ...last]);
    },
    async read(cursor: string, sort: PeopleSort): Promise<Position> {
      key ??= await readKey();
      const [startsShown, id, first, second] = readCursor(key, cursor, sort, sort === 'email' ? 3 : 4);
      const last = sort === 'email' ? String(first) : new Timestamp(Number(first), Number(second));
      return { startsShown: startsShown === 1, after: [last, String(id)], signupId: signupIdOfDocument(String(id)) };
    },
  };
}
