import {
  ENGAGED_DEPTH,
  ENGAGED_SECONDS,
  type Log,
  type TrafficSource,
  toSessionSource,
  toSignupSource,
} from 'early-access-server/internal';
import {
  type DocumentData,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
} from 'firebase-admin/firestore';
import { type DocumentReader, documentsNamed, pages } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { signupIdOfDocument } from '../list/person.ts';
import { signupTime, toSignup } from '../signups.ts';
import { type Row, visitorKey } from './rows.ts';

const PAGE = 1_000;
/** Documents per call that are read by id. */
const BY_ID = 300;

/** Returns the sessions and signups from `from` to `to` (exclusive), ordered by time. */
export async function readRows(firestore: Firestore, from: number, to: number, log: Log): Promise<Row[]> {
  const sessions = new Map<string, Row>();
  const signups: QueryDocumentSnapshot[] = [];
  const started = sessionsSince(firestore, from).where('session_start', '<', to);
  for await (const page of pages(started.orderBy('session_start'), PAGE)) {
    for (const document of page) sessions.set(document.id, sessionRow(document.data()));
  }
  const made = signupsSince(firestore, from).where('created_at', '<', Timestamp.fromMillis(to));
  for await (const page of pages(made.orderBy('created_at'), PAGE)) {
    // If a person unsubscribes during the read, their moved document follows directly after the original one.
    const last = signups.at(-1);
    signups.push(
      ...page.filter(({ id }) => last === undefined || signupIdOfDocument(id) !== signupIdOfDocument(last.id)),
    );
  }
  return inOrder([...sessions.values(), ...(await signupRows(firestore, signups, sessions, log))]);
}

export function sessionsSince(reader: DocumentReader, time: number): Query {
  return reader.collection(COLLECTIONS.sessions).where('session_start', '>=', time);
}

export function signupsSince(reader: DocumentReader, time: number): Query {
  return reader.collection(COLLECTIONS.signups).where('created_at', '>=', Timestamp.fromMillis(time));
}

/** Sorts stably by time. */
export function inOrder(rows: Row[]): Row[] {
  return rows.sort((a, b) => a.at - b.at);
}

/** Signups have the traffic source of their session. Sessions that are not in `sessions` are read. */
export async function signupRows(
  reader: DocumentReader,
  signups: readonly QueryDocumentSnapshot[],
  sessions: ReadonlyMap<string, Row>,
  log: Log,
): Promise<Row[]> {
  const trafficSources = new Map([...sessions].map(([id, { trafficSource }]) => [id, trafficSource]));
  const records = signups.map((signup) => signup.data()).filter(isCounted);
  const ids = records.map((signup) => text(signup, 'session_id')).filter((id) => !trafficSources.has(id));
  const missing = documentsNamed(reader, COLLECTIONS.sessions, ids, log);
  for (let start = 0; start < missing.length; start += BY_ID) {
    for (const document of await reader.getAll(...missing.slice(start, start + BY_ID))) {
      const session = document.data();
      if (session !== undefined) trafficSources.set(document.id, readSessionSource(session));
    }
  }
  return records.map((signup) => signupRow(signup, trafficSources.get(text(signup, 'session_id'))));
}

/** Imported people are not signups. */
export function isCounted(signup: DocumentData): boolean {
  return signup.imported !== true;
}

export function signupRow(signup: DocumentData, sessionSource?: TrafficSource): Row {
  const trafficSource = sessionSource ?? toSignupSource(toSignup(signup));
  return {
    at: signupTime(signup),
    visitor: null,
    previous: null,
    trafficSource,
    views: [],
    duration: 0,
    bounce: false,
    engaged: false,
    joined: number(signup, 'joined_at') > 0,
  };
}

export function sessionTime(session: DocumentData): number {
  return number(session, 'session_start');
}

export function sessionRow(session: DocumentData): Row {
  const duration = number(session, 'total_duration');
  return {
    at: sessionTime(session),
    visitor: visitorKey(text(session, 'visitor_id')),
    previous: null,
    trafficSource: readSessionSource(session),
    views: viewedPaths(session),
    duration,
    bounce: session.is_bounce === true,
    engaged: duration >= ENGAGED_SECONDS || number(session, 'max_scroll_depth') >= ENGAGED_DEPTH,
    joined: false,
  };
}

/** The paths of all views after the first. The keys are view numbers, which objects list in ascending order. */
export function viewedPaths(session: DocumentData): readonly string[] {
  const views: unknown = session.page_views ?? {};
  return typeof views === 'object' && views !== null
    ? Object.values(views).filter((path) => typeof path === 'string')
    : [];
}

function readSessionSource(session: DocumentData): TrafficSource {
  const of = (field: string) => text(session, field);
  return toSessionSource({
    referrer: of('referrer'),
    utm_source: of('utm_source'),
    utm_medium: of('utm_medium'),
    utm_campaign: of('utm_campaign'),
    landing_path: of('landing_path'),
    device_type: of('device_type'),
    browser: of('browser'),
    os: of('os'),
    country: of('country'),
    is_returning_visitor: session.is_returning_visitor === true,
  });
}

function text(document: DocumentData, field: string): string {
  const value: unknown = document[field];
  return typeof value === 'string' ? value : '';
}

function number(document: DocumentData, field: string): number {
  const value: unknown = document[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
