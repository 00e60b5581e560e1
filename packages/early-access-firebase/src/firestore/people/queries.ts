import { isId } from 'early-access-kit/internal';
import {
  chooseResend,
  type ExportedPerson,
  findPeriod,
  type InviteOrder,
  type MatchedPerson,
  matchesSearch,
  matchesSegment,
  type PeopleCount,
  type PeopleFilter,
  type PeopleSort,
  type Person,
  type PersonMail,
  type PersonState,
  presentLabels,
  type SegmentAt,
  storedFields,
  type TextCondition,
} from 'early-access-server/internal';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
} from 'firebase-admin/firestore';
import { countDocuments, type DocumentReader, pages } from '../database.ts';
import { integerOrNull, textOrNull } from '../fields.ts';
import { getPublicId, lastMessageId, signupIdOfDocument, storedState, toHistory } from '../list/person.ts';
import { campaignMessageRef, messageRef, readMessage } from '../message-document.ts';
import { signupTime, toSignup } from '../signups.ts';

/** Documents per call that are read by id. */
export const PAGE = 200;
/** Maximum number of people that a count reads. */
export const MAX_COUNTED = 10_000;
/** Maximum number of values of one `in` condition. */
export const MAX_VALUES = 30;

/** The orders of the list, and those of invite waves by referrals. */
type Order = PeopleSort | Exclude<InviteOrder, 'date'>;

export const ORDERS = {
  newest: [['created_at', 'desc']],
  oldest: [['created_at', 'asc']],
  email: [['email', 'asc']],
  place: [['place_at', 'asc']],
  referrals: [
    ['referrals', 'desc'],
    ['created_at', 'asc'],
  ],
} as const satisfies Record<Order, readonly (readonly [string, 'asc' | 'desc'])[]>;

/** Returns the documents whose field has one of the values, using an index. */
export async function findInList(collection: Query, field: string, values: readonly string[]) {
  const distinct = [...new Set(values)];
  const found: QueryDocumentSnapshot[] = [];
  for (let start = 0; start < distinct.length; start += MAX_VALUES) {
    found.push(...(await collection.where(field, 'in', distinct.slice(start, start + MAX_VALUES)).get()).docs);
  }
  return found;
}

/**
 * Returns the people that match the filter, among documents that `filtered` has found. Only reads the messages of
 * people whose signup matches.
 */
export async function matching(reader: DocumentReader, documents: readonly DocumentSnapshot[], filter: IndexedFilter) {
  const found = await matchingSignups(reader, documents, filter);
  const messages = await readAll(
    reader,
    found.map((document) => lastMessageRef(reader, document)),
  );
  return found
    .map((document, index) => ({ document, person: toPerson(document, messages[index]) }))
    .filter(({ person: { mail } }) => filter.mail === null || filter.mail === (mail?.state ?? 'none'));
}

/**
 * Like `matching`, but ignores the state of the email. Reads one message per condition on campaigns, for people who
 * meet all other conditions.
 */
export async function matchingSignups<T extends DocumentSnapshot>(
  reader: DocumentReader,
  documents: readonly T[],
  filter: IndexedFilter,
): Promise<readonly T[]> {
  const found = documents.filter((document) => matchesSignup(document, filter));
  if (filter.rest === null) return found;
  const { conditions, at } = filter.rest;
  const { with_campaign, without_campaign, ...others } = conditions;
  const met = found.filter((signup) => matchesSegment(toMatched(signup), { conditions: others, at }));
  const ids = [...new Set([with_campaign, without_campaign])].filter((id) => id !== undefined && isId(id));
  const messages = await readAll(
    reader,
    met.flatMap(({ id }) => ids.map((campaign) => campaignMessageRef(reader, signupIdOfDocument(id), campaign))),
  );
  return met.filter((signup, index) => {
    const campaigns = new Map(
      ids.flatMap((id, of) => {
        const message = readMessage(messages[index * ids.length + of]);
        return message === null ? [] : [[id, message.state] as const];
      }),
    );
    return matchesSegment({ ...toMatched(signup), campaigns }, { conditions, at });
  });
}

/** Counts matching people: with an index if there is one, otherwise among the newest `maxRead` people. */
export async function countMatching(signups: Query, filter: IndexedFilter, maxRead: number): Promise<PeopleCount> {
  const query = filtered(signups, filter, 'newest');
  if (!isScanned(filter)) return { count: await countDocuments(query), is_partial: false };
  const { firestore } = signups;
  let [count, read] = [0, 0];
  for await (const page of pages(inOrder(query, 'newest'), Math.min(PAGE, maxRead))) {
    const found = await (filter.mail === null ? matchingSignups : matching)(firestore, page, filter);
    count += found.length;
    read += page.length;
    if (read >= maxRead) return { count, is_partial: true };
  }
  return { count, is_partial: false };
}

/** Firestore's client rejects an empty list. */
async function readAll(
  reader: DocumentReader,
  refs: readonly DocumentReference[],
): Promise<readonly DocumentSnapshot[]> {
  return refs.length === 0 ? [] : reader.getAll(...refs);
}

/** Returns the reference of the person's last message that is not from a campaign. */
export function lastMessageRef(reader: DocumentReader, signup: DocumentSnapshot): DocumentReference {
  return messageRef(reader, lastMessageId(signup));
}

/** A filter split into conditions that indexes support, and conditions that require reading the person. */
export interface IndexedFilter extends Pick<PeopleFilter, 'search' | 'mail' | 'from' | 'to'> {
  /** The matching values. Null: any. */
  readonly states: readonly PersonState[] | null;
  readonly sources: readonly string[] | null;
  readonly imports: readonly string[] | null;
  /** Conditions that no index supports. Null: none. */
  readonly rest: SegmentAt | null;
}

export function indexedFilter({ search, mail, segment, ...filter }: PeopleFilter): IndexedFilter {
  const { at, conditions } = segment ?? { at: 0, conditions: {} };
  const { states, source, import: importId, from, to, zone, texts = [], ...others } = conditions;
  const [sources, unindexed] = takeIndexed(texts, 'source');
  const [imports, remaining] = takeIndexed(unindexed, 'import');
  const rest = { ...others, ...(remaining.length > 0 && { texts: remaining }) };
  const days = findPeriod({ from, to, zone }, at);
  const starts = [filter.from, days.from].filter((time) => time !== null);
  const ends = [filter.to, days.to].filter((time) => time !== null);
  return {
    search,
    mail,
    states: inEach<PersonState>(only(filter.state), states, rest.invited_days_ago === undefined ? null : ['invited']),
    sources: inEach(only(filter.source), only(source), ...sources),
    imports: inEach(only(filter.import), only(importId), ...imports),
    from: starts.length === 0 ? null : Math.max(...starts),
    to: ends.length === 0 ? null : Math.min(...ends),
    rest: Object.keys(rest).length === 0 ? null : { conditions: rest, at },
  };
}

/** Splits off the lists of values that an index of the text supports. */
function takeIndexed(texts: readonly TextCondition[], of: 'source' | 'import') {
  const isIndexed = ({ of: name, test, values }: TextCondition) =>
    name === of && test === 'any' && values.length > 0 && values.length <= MAX_VALUES;
  const others = texts.filter((condition) => !isIndexed(condition));
  return [texts.filter(isIndexed).map(({ values }) => values), others] as const;
}

/** Returns the values that are in all lists. Null: any. */
function inEach<T>(...lists: readonly (readonly T[] | null | undefined)[]): readonly T[] | null {
  const [first, ...others] = lists.filter((list) => list != null);
  return first?.filter((value) => others.every((list) => list.includes(value))) ?? null;
}

const only = <T>(value: T | null | undefined): readonly T[] | null => (value == null ? null : [value]);

/** Returns whether people have to be read to check whether they match. */
export function isScanned({ search, mail, rest }: IndexedFilter): boolean {
  return search !== '' || mail !== null || rest !== null;
}

/**
 * Returns a query for the people that indexes can find. Only orders by time have an index of times. People whose state
 * is not stored yet count as subscribed, but a filter by state does not find them.
 */
export function filtered(signups: Query, { sources, imports, states, from, to }: IndexedFilter, sort: Order): Query {
  const query = whereIn(whereIn(whereIn(signups, 'import_id', imports), 'source', sources), 'state', states);
  if (sort !== 'newest' && sort !== 'oldest') return query;
  const since = from === null ? query : query.where('created_at', '>=', Timestamp.fromMillis(from));
  return to === null ? since : since.where('created_at', '<', Timestamp.fromMillis(to));
}

/** No field has this value, so it matches nobody. */
const NOBODY = '';

function whereIn(query: Query, field: string, values: readonly string[] | null): Query {
  if (values === null) return query;
  return values.length > 1 ? query.where(field, 'in', values) : query.where(field, '==', values[0] ?? NOBODY);
}

export function inOrder(query: Query, sort: Order): Query {
  const fields = ORDERS[sort];
  const ordered = fields.reduce((sorted, [field, direction]) => sorted.orderBy(field, direction), query);
  return ordered.orderBy(FieldPath.documentId(), fields.at(-1)?.[1]);
}

/** Checks the search, and the period, which the query only includes for orders by time. */
function matchesSignup(signup: DocumentSnapshot, { search, from, to }: IndexedFilter): boolean {
  const at = signupTime(signup.data() ?? {});
  const fields = storedFields(signup.get('fields'));
  const person = { email: String(signup.get('email')), ...(fields && { fields }) };
  return (search === '' || matchesSearch(person, search)) && (from === null || at >= from) && (to === null || at < to);
}

export function toPerson(signup: DocumentSnapshot, message: DocumentSnapshot | undefined): Person {
  const { submission_id: _, ...fields } = toSignup(signup.data() ?? {});
  const state = storedState(signup) ?? 'subscribed';
  const history = toHistory(signup);
  const mail = toMail(message);
  const isImported = signup.get('imported') === true;
  const recipient = { state, bouncedFrom: history.bounced_from, isImported };
  // A signup that is not enrolled yet will still get its first message.
  const resends = storedState(signup) === null ? null : chooseResend(mail?.kind ?? null, recipient);
  return {
    id: getPublicId(signup),
    ...fields,
    ...history,
    state,
    referrals: integerOrNull(signup, 'referrals') ?? 0,
    ...presentLabels(textOrNull(signup, 'labels')),
    mail,
    resends,
  };
}

export function toExported(signup: DocumentSnapshot): Pick<ExportedPerson, 'language' | 'import_id'> {
  return { language: textOrNull(signup, 'language'), import_id: textOrNull(signup, 'import_id') };
}

function toMatched(signup: DocumentSnapshot): MatchedPerson {
  return { ...toPerson(signup, undefined), ...toExported(signup) };
}

function toMail(message: DocumentSnapshot | undefined): PersonMail | null {
  const stored = readMessage(message);
  if (stored === null) return null;
  const { kind, state, attempts, reason, next_attempt_at, changed_at } = stored;
  return { kind, state, attempts, reason, next_attempt_at, changed_at };
}
