import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import type {
  AdminSettings,
  AuditEntry,
  BulkJob,
  BulkResult,
  Campaign,
  CountResponse,
  DashboardResponse,
  FirstStepsResponse,
  HealthResponse,
  MailResponse,
  Person,
  PersonRecord,
  Role,
  SessionResponse,
  SessionsResponse,
} from 'early-access-server/admin-api';
import { readSegment } from 'early-access-server/admin-pages';
import { fakeApiKeys } from './api-keys.fixture.ts';
import { fakeBulk } from './bulk.fixture.ts';
import { fakeCampaigns, fakePreview } from './campaigns.fixture.ts';
import { emptyDashboard, fakeDashboard, NOW } from './dashboard.fixture.ts';
import { SHOWN_FIELDS, withFields } from './fields.fixture.ts';
import { type FakeImport, fakeImport, fakeImports } from './import.fixture.ts';
import { type FakeListOptions, fakeList } from './list.fixture.ts';
import { fakePasskeys } from './passkeys.fixture.ts';
import { createRecord, fakePeople } from './people.fixture.ts';
import { fakeSegments, isInSegment, isOfImport } from './segments.fixture.ts';
import { fakeTeam, OVERVIEW_KEY } from './team.fixture.ts';
import { fakeWebhooks } from './webhooks.fixture.ts';

export interface FakeOptions {
  readonly signedIn?: boolean;
  /** Role of the signed-in person. Default: an admin who is also the owner. */
  readonly role?: Role;
  readonly people?: number;
  readonly isEmpty?: boolean;
  /** The dashboard's address supports passkeys. */
  readonly hasPasskeys?: boolean;
  /** The form has fields besides the address. */
  readonly hasFields?: boolean;
  /** The share of older data that is counted. */
  readonly progress?: number;
  /** The platform provides countries. */
  readonly hasCountries?: boolean;
  /** Makes the background count fail with this error. */
  readonly countingFailure?: DashboardResponse['failure'];
  readonly colors?: { readonly accent?: string; readonly background?: string };
  readonly mail?: Partial<MailResponse>;
  readonly health?: Partial<HealthResponse>;
  /** Overrides of the first steps, which are all done by default. */
  readonly firstSteps?: Partial<FirstStepsResponse['steps']>;
  /** False: no mail server is set. */
  readonly canSend?: boolean;
  /** Overrides of the first draft. */
  readonly draft?: Partial<Campaign>;
  /** Why campaigns cannot be sent. */
  readonly campaignProblem?: string;
  /** The warnings for each campaign that is checked. */
  readonly campaignWarnings?: readonly string[];
  readonly isMailPaused?: boolean;
  readonly isQuotaSpent?: boolean;
  readonly import?: FakeImport;
  /** Only some people are counted, as on Firestore if reading everyone would cost too much. */
  readonly isCountPartial?: boolean;
  /** Overrides of each person's record. */
  readonly record?: Partial<PersonRecord>;
  readonly list?: FakeListOptions;
  /** Overrides of an existing action on many people; undefined: there is none. */
  readonly bulk?: Partial<BulkJob>;
  /** Fails requests, by method and path such as `GET /admin/mail`. A number is the status. */
  readonly failures?: Readonly<Record<string, 'pending' | 'unreachable' | number>>;
}

/** A fake of the server's `/api/admin`, with generated people and figures that are always the same. */
export function fakeApi(options: FakeOptions = {}) {
  let isSignedIn = options.signedIn ?? true;
  let { failures, role = 'admin' } = options;
  let people = options.isEmpty ? [] : fakePeople(options.people ?? 3_000);
  if (options.hasFields) people = people.map(withFields);
  let isResumed = false;
  let settings: AdminSettings = { time_zone: 'UTC', weekly_email: false, signup_notices: 'off' };
  let sessions: SessionsResponse['sessions'] = [
    { ...session('one', 'Firefox on macOS'), current: true },
    { ...session('two', 'Safari on iOS'), current: false },
    { ...session('three', 'Chrome on Windows'), current: false },
  ];
  const campaigns = fakeCampaigns(options);
  const segments = fakeSegments(options);
  const imports = fakeImports(options.isEmpty ?? false);
  const webhooks = fakeWebhooks(options.isEmpty ?? false);
  const passkeys = fakePasskeys(options.isEmpty ?? false, options.hasPasskeys ?? true);
  const team = fakeTeam(options.isEmpty ?? false);
  const apiKeys = fakeApiKeys(options.isEmpty ?? false);
  const list = fakeList(
    { ...options.list, isEmpty: options.isEmpty ?? false },
    (filter = {}) => matching(people, filter),
    (ids, state) => {
      people = people.map((person) => (ids.includes(person.id) ? { ...person, state } : person));
    },
  );
  const actions = fakeBulk(options.bulk, (filter) => matching(people, filter));
  const requests: string[] = [];
  /** Keyed by person id. */
  const newEmails = new Map<string, string>();

  const bulk = (ids: readonly string[], change: (person: Person) => Person | null) => {
    const results = ids.map((id): { id: string; result: BulkResult } => {
      const found = people.find((person) => person.id === id);
      return { id, result: !found ? 'gone' : found.mail?.state === 'sending' ? 'being-sent' : 'done' };
    });
    const done = new Set(results.flatMap(({ id, result }) => (result === 'done' ? [id] : [])));
    people = people.flatMap((person) => (done.has(person.id) ? (change(person) ?? []) : person));
    return Response.json({ results });
  };

  const routes: Readonly<Record<string, (query: URLSearchParams, body: Record<string, unknown>) => Response>> = {
    'POST /admin/sign-in': () => new Response(null, { status: 202 }),
    'POST /admin/session': (_, { token }) => {
      isSignedIn ||= token === 'valid';
      return token === 'valid' ? noContent() : failure(401);
    },
    'POST /admin/passkey-sign-in': () => {
      isSignedIn = true;
      return noContent();
    },
    'POST /admin/sign-out': () => {
      isSignedIn = false;
      return noContent();
    },
    'POST /admin/sign-out-everywhere': () => {
      isSignedIn = false;
      return noContent();
    },
    'GET /brand': () => Response.json({ name: 'Acme', colors: options.colors ?? {} }),
    'GET /admin/session': () =>
      Response.json({
        email: 'admin@acme.example',
        id: 'one',
        role,
        is_owner: role === 'admin',
        settings,
        fields: options.hasFields ? SHOWN_FIELDS : [],
      } satisfies SessionResponse),
    'POST /admin/settings': (_, body) => {
      settings = { ...settings, ...body };
      return noContent();
    },
    'GET /admin/sessions': () => Response.json({ sessions }),
    'POST /admin/sessions/revoke': (_, { id }) => {
      sessions = sessions.filter((session) => session.id !== id);
      return noContent();
    },
    'GET /admin/dashboard': (query) => {
      if (options.isEmpty) return Response.json(emptyDashboard(query));
      const dashboard = fakeDashboard(query, options.progress, options.countingFailure);
      const country = options.hasCountries ? COUNTRIES : [];
      return Response.json({ ...dashboard, breakdowns: { ...dashboard.breakdowns, country } });
    },
    'GET /admin/first-steps': () =>
      Response.json({
        store: options.health?.store ?? HEALTH.store,
        site_url: 'https://acme.example/',
        steps: { sender: 'done', form: 'done', signup: 'done', backup: 'done', ...options.firstSteps },
      } satisfies FirstStepsResponse),
    'POST /admin/people/search': (_, { after, limit, ...filter }) => {
      const found = matching(people, filter);
      const start = Number(after ?? 0);
      const end = start + Number(limit ?? 50);
      return Response.json({ people: found.slice(start, end), next: end < found.length ? String(end) : null });
    },
    'POST /admin/people/count': (_, filter) => {
      const [count, is_partial] = [matching(people, filter).length, options.isCountPartial ?? false];
      return Response.json({ count, is_partial } satisfies CountResponse);
    },
    'GET /admin/people/sources': () => Response.json({ sources: ['landing_page', 'pricing_page'] }),
    'GET /admin/people/labels': () => Response.json({ labels: ['Press', 'VIP'] }),
    'POST /admin/people/labels': (_, { ids, add, remove }) =>
      bulk(parseIds(ids), (person) => {
        const labels = (person.labels ?? []).filter((label) => !parseIds(remove).includes(label));
        return { ...person, labels: [...labels, ...parseIds(add)] };
      }),
    'GET /admin/imports': () => imports.list(),
    'POST /admin/people.csv': (_, filter) => respondWithCsv(matching(people, filter)),
    'POST /admin/people/forget': (_, { ids }) => bulk(parseIds(ids), () => null),
    'POST /admin/people/resend': (_, { ids }) =>
      bulk(parseIds(ids), (person) => ({
        ...person,
        mail: person.mail && { ...person.mail, state: 'queued', reason: null },
      })),
    'POST /admin/people/unsubscribe': (_, { ids }) =>
      bulk(parseIds(ids), (person) => ({ ...person, state: 'unsubscribed' })),
    'POST /admin/people': (_, { email, state, consent_text }) => {
      const listed = people.find((person) => person.email === email);
      if (listed) return Response.json({ result: 'on-list', id: listed.id });
      const [like = listed] = fakePeople(1);
      if (!like) return failure(400);
      const about = { email: String(email), consent_text: String(consent_text), source: 'admin', mail: null };
      const isPending = state === 'pending';
      people = [{ ...like, ...about, id: 'person-new', state: isPending ? 'pending' : 'subscribed' }, ...people];
      return Response.json({ result: 'added', id: 'person-new' });
    },
    'POST /admin/people/restore': (_, { ids, filter }) => {
      const chosen =
        ids === undefined
          ? matching(people, Object.fromEntries(Object.entries(filter ?? {}))).map(({ id }) => id)
          : parseIds(ids);
      const bounced = people.filter(({ id, state }) => chosen.includes(id) && state === 'bounced');
      people = people.map((person) => (bounced.includes(person) ? { ...person, state: 'subscribed' } : person));
      return Response.json({ restored: bounced.length });
    },
    'GET /admin/mail': (query) => {
      const mail = { ...countMail(people), ...options.mail, ...(isResumed && { pause: null }) };
      const kind = query.get('kind');
      return Response.json({
        ...mail,
        unsent: mail.unsent.filter((message) => kind === null || message.kind === kind),
      });
    },
    'POST /admin/mail/resume': () => {
      isResumed = true;
      return noContent();
    },
    'POST /admin/mail/test': () =>
      Response.json({ outcome: 'sent', explanation: 'The mail server smtp.acme.example accepted the message.' }),
    'GET /admin/health': () => Response.json({ ...HEALTH, ...options.health }),
    'GET /admin/audit': () => Response.json({ entries: options.isEmpty ? [] : AUDIT }),
  };

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), 'http://localhost');
    const path = url.pathname.replace('/api', '');
    const name = `${init?.method ?? 'GET'} ${path}`;
    const choices = new URLSearchParams(new Headers(init?.headers).get('import-choices') ?? '');
    requests.push(`${name}${url.search}${choices.size > 0 ? ` ${choices}` : ''}`);
    const failing = failures?.[name];
    if (failing === 'pending') return new Promise(() => {});
    if (failing === 'unreachable') throw new TypeError('Failed to fetch');
    if (failing) return failure(failing);
    const isPublic = /^(GET \/brand|POST \/admin\/(sign-in|session|passkey-sign-in(\/options)?))$/.test(name);
    const isByLink = new Headers(init?.headers).get('authorization') === `Bearer ${OVERVIEW_KEY}`;
    if (!isPublic && !isSignedIn && !(isByLink && name === 'GET /admin/dashboard')) return failure(401);
    // The part of the server's rule that the stories need.
    if (role === 'viewer' && /^POST \/admin\/campaigns/.test(name)) return failure(403);
    const query = url.searchParams;
    if (name === 'POST /admin/import') {
      return fakeImport(new URLSearchParams([...query, ...choices]), options.import, init?.signal);
    }
    const body = JSON.parse(String(init?.body ?? '{}'));
    const response =
      imports.withdraw(name, query) ??
      routes[name]?.(query, body) ??
      list.respond(name, body) ??
      actions.respond(name, body) ??
      [campaigns, segments, webhooks, passkeys, team, apiKeys].map((part) => part.respond(name, body)).find(Boolean);
    if (response) return response;
    const corrected = people.find(({ id }) => name === `POST /admin/people/${id}/correct`);
    const person = people.find(({ id }) => name === `GET /admin/people/${id}`);
    if (corrected) {
      newEmails.set(corrected.id, String(body.email));
      return noContent();
    }
    return person
      ? Response.json({ ...createRecord(person), ...options.record, new_email: newEmails.get(person.id) ?? null })
      : failure(404);
  };

  return {
    fetch,
    frameUrl: fakePreview,
    requests,
    /** Makes these requests fail instead of the previous ones. */
    setFailures(next: FakeOptions['failures']) {
      failures = next;
    },
    /** Changes the role of the signed-in person. */
    setRole(next: Role) {
      role = next;
    },
    /** Ends the session, or starts one as another tab would. */
    setSignedIn(signedIn: boolean) {
      isSignedIn = signedIn;
    },
  };
}

function session(id: string, device: string) {
  const times = { created_at: NOW - 90_000_000, last_used_at: NOW - 60_000 };
  return { id, email: 'admin@acme.example', ...times, device, can_end: true };
}

function noContent(): Response {
  return new Response(null, { status: 204 });
}

function failure(status: number): Response {
  return Response.json({ error: { code: 'unavailable', message: 'The server said no.' } }, { status });
}

function parseIds(ids: unknown): readonly string[] {
  return Array.isArray(ids) ? ids.map(String) : [];
}

function matching(people: readonly Person[], filter: Readonly<Record<string, unknown>>): Person[] {
  const [search, state, mail, source] = ['search', 'state', 'mail', 'source'].map((name) => String(filter[name] ?? ''));
  const [from, to] = ['from', 'to'].map((name) => Date.parse(String(filter[name] ?? '')));
  const segment = readSegment(filter.segment ?? {});
  const found = people.filter(
    (person) =>
      isInSegment(person, segment) &&
      person.email.includes(search ?? '') &&
      (!state || person.state === state) &&
      (!mail || (person.mail?.state ?? 'none') === mail) &&
      (!source || person.source === source) &&
      (filter.import === undefined || isOfImport(person)) &&
      !(person.created_at < (from ?? 0)) &&
      !(person.created_at >= (to ?? 0) + DAY_MS),
  );
  if (filter.sort === 'oldest') return found.toReversed();
  return filter.sort === 'email' ? found.toSorted((a, b) => (a.email < b.email ? -1 : 1)) : found;
}

function respondWithCsv(people: readonly Person[]): Response {
  const lines = people.map(({ email, source }) => `${email},${source}\r\n`);
  return new Response(`email,source\r\n${lines.join('')}`, { headers: { 'Content-Type': 'text/csv' } });
}

function countMail(people: readonly Person[]): MailResponse {
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0 };
  for (const { mail } of people) if (mail) counts[mail.state] += 1;
  const unsent = people.flatMap(({ id, email, mail }) =>
    mail && mail.state !== 'sent'
      ? [
          {
            id,
            email,
            kind: mail.kind,
            state: mail.state,
            attempts: mail.attempts,
            nextAttemptAt: mail.next_attempt_at,
            reason: mail.reason,
          },
        ]
      : [],
  );
  return {
    counts,
    transport: 'smtp',
    quota: { per_hour: 200, spent_until: null },
    waiting: {
      due: 0,
      planned: counts.queued,
      planned_at: counts.queued > 0 ? NOW + 600_000 : null,
      of_paused_campaigns: 0,
    },
    pause: null,
    trouble: null,
    complaints: { since: NOW - 168 * HOUR_MS, emails: 2_906, complaints: 2, level: 'fine' },
    next_due_at: unsent.length > 0 ? NOW + 600_000 : null,
    unsent: unsent.slice(0, 100),
  };
}

const COUNTRIES = [
  { value: 'DE', visitors: 810, signups: 49, joined: 12 },
  { value: 'US', visitors: 640, signups: 31, joined: 4 },
  { value: '', visitors: 52, signups: 2, joined: 0 },
];

const HEALTH: HealthResponse = {
  version: '1.4.0',
  store: 'sqlite',
  database_bytes: 48_300_000,
  disk_free_bytes: 212_000_000_000,
  last_backup_at: NOW - 9 * HOUR_MS,
  retention_days: 395,
  limits_hit: { signups: 14, signIns: 2 },
  signups_refused: {},
  issues: [
    { severity: 'error', message: 'PUBLIC_URL is not set: links in emails lead to localhost.' },
    {
      severity: 'warning',
      message:
        'TRUST_PROXY is not set, but requests carry X-Forwarded-For: rate limits count the proxy as one visitor.',
    },
  ],
};

const BY_ADMINS: readonly AuditEntry[] = (
  ['sign-in', 'export', 'forget', 'resend', 'test-mail', 'settings', 'revoke-session', 'sign-out'] as const
).map((action, index) => ({
  at: NOW - index * 5_400_000,
  session: 'one',
  admin: index % 4 === 3 ? 'grace@acme.example' : 'admin@acme.example',
  action,
  count: index % 3 === 1 ? 3_000 : 1,
}));

const BY_KEYS: readonly AuditEntry[] = [
  {
    action: 'api-key-refused',
    route: 'GET /api/admin/people',
    api_key: 'Weekly report',
    session: 'key',
    at: NOW,
    count: 1,
  },
  { action: 'api-key-used', route: 'GET /api/admin/list', api_key: 'Weekly report', session: 'key', at: NOW, count: 1 },
  {
    action: 'add-api-key',
    api_key: 'Weekly report',
    session: 'one',
    admin: 'admin@acme.example',
    at: NOW - 60_000,
    count: 1,
  },
];

const AUDIT: readonly AuditEntry[] = [...BY_KEYS, ...BY_ADMINS];
