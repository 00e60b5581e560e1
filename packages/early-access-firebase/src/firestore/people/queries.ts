import {
  chooseResend,
  type PeopleFilter,
  type PeopleSort,
  type Person,
  type PersonMail,
} from 'early-access-server/stores';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
} from 'firebase-admin/firestore';
import type { DocumentReader } from '../database.ts';
import { getPublicId, lastMessageId, storedState, toHistory } from '../list/person.ts';
import { messageRef, readMessage } from '../mail/message-document.ts';
import { signupTime, toSignup } from '../signups.ts';

/** Values of one `in`. */
const MAX_VALUES = 30;

export const ORDERS = {
  newest: ['created_at', 'desc'],
  oldest: ['created_at', 'asc'],
  email: ['email', 'asc'],
} as const satisfies Record<PeopleSort, readonly [string, 'asc' | 'desc']>;

/** The documents whose field has one of the values, by its index. */
export async function findInList(collection: Query, field: string, values: readonly string[]) {
  const distinct = [...new Set(values)];
  const found: QueryDocumentSnapshot[] = [];
  for (let start = 0; start < distinct.length; start += MAX_VALUES) {
    found.push(...(await collection.where(field, 'in', distinct.slice(start, start + MAX_VALUES)).get()).docs);
  }
  return found;
}

/** The people of these documents, which `filtered` found, whom the filter matches. Reads the messages of those only whose signup does. */
export async function matching(reader: DocumentReader, documents: readonly DocumentSnapshot[], filter: PeopleFilter) {
  const found = documents.filter((document) => matchesSignup(document, filter));
  const refs = found.map((document) => lastMessageRef(reader, document));
  const messages = refs.length === 0 ? [] : await reader.getAll(...refs);
  return found
    .map((document, index) => ({ document, person: toPerson(document, messages[index]) }))
    .filter(({ person: { mail } }) => filter.mail === null || filter.mail === (mail?.state ?? 'none'));
}

/** The person's last message apart from campaigns. */
export function lastMessageRef(reader: DocumentReader, signup: DocumentSnapshot): DocumentReference {
  return messageRef(reader, lastMessageId(signup));
}

/** Whether people have to be read to know if they match. */
export function isScanned({ search, mail }: PeopleFilter): boolean {
  return search !== '' || mail !== null;
}

/**
 * The people whom indexes find. In the order of addresses there is no index of times. People whose state is not stored yet count as
 * subscribed, but a filter by state does not find them.
 */
export function filtered(
  signups: Query,
  { source, import: importId, state, from, to }: PeopleFilter,
  sort: PeopleSort,
): Query {
  const ofImport = importId === null ? signups : signups.where('import_id', '==', importId);
  const ofSource = source === null ? ofImport : ofImport.where('source', '==', source);
  const query = state === null ? ofSource : ofSource.where('state', '==', state);
  if (sort === 'email') return query;
  const since = from === null ? query : query.where('created_at', '>=', Timestamp.fromMillis(from));
  return to === null ? since : since.where('created_at', '<', Timestamp.fromMillis(to));
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

export function toPerson(signup: DocumentSnapshot, message: DocumentSnapshot | undefined): Person {
  const { submission_id: _, ...fields } = toSignup(signup.data() ?? {});
  const state = storedState(signup) ?? 'subscribed';
  const history = toHistory(signup);
  const mail = toMail(message);
  const isImported = signup.get('imported') === true;
  const recipient = { state, bouncedFrom: history.bounced_from, isImported };
  // The signup of a browser that is not enrolled yet has its first message still to come.
  const resends = storedState(signup) === null ? null : chooseResend(mail?.kind ?? null, recipient);
  return { id: getPublicId(signup), ...fields, ...history, state, referrals: 0, mail, resends };
}

function toMail(message: DocumentSnapshot | undefined): PersonMail | null {
  const stored = readMessage(message);
  if (stored === null) return null;
  const { kind, state, attempts, reason, next_attempt_at, changed_at } = stored;
  return { kind, state, attempts, reason, next_attempt_at, changed_at };
}
