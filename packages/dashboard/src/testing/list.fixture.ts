import { DAY_MS } from 'early-access-kit/internal';
import {
  CREDITS,
  type Credit,
  type InviteWave,
  type LinksResponse,
  type ListResponse,
  type ListStatusResponse,
  type OpeningRequestsResponse,
  type Person,
  type PersonState,
  type ShareLink,
} from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

export interface FakeListOptions {
  readonly canInvite?: boolean;
  /** Another admin starts a wave after the list was read. */
  readonly isOutdated?: boolean;
  /** Share links; undefined: the feature is off. */
  readonly links?: readonly ShareLink[];
  /** Overrides of the list's status, which is open by default. */
  readonly status?: Partial<ListStatusResponse['status']>;
  /** The addresses of people who wait for the list to open. */
  readonly waiting?: readonly string[];
}

const OPEN: ListStatusResponse['status'] = {
  mode: 'open',
  closes_at: null,
  max_people: null,
  message: null,
  link_url: null,
  link_text: null,
  takes_requests: false,
};

const NEWEST = { id: '3', created_at: NOW - 240_000, people: 250, sent: 96, queued: 154, failed: 0, joined: 11 };
const WAVES: readonly InviteWave[] = [
  NEWEST,
  { id: '2', created_at: NOW - 5 * DAY_MS, people: 100, sent: 97, queued: 0, failed: 3, joined: 61 },
  { id: '1', created_at: NOW - 12 * DAY_MS, people: 10, sent: 10, queued: 0, failed: 0, joined: 9 },
];

/** The list's counts and waves. `people` and `setState` access the fake server's people. */
export function fakeList(
  {
    canInvite = true,
    isOutdated = false,
    links: given,
    status: changed,
    waiting = [],
    isEmpty,
  }: FakeListOptions & { readonly isEmpty: boolean },
  people: (filter?: Readonly<Record<string, unknown>>) => readonly Person[],
  setState: (ids: readonly string[], state: PersonState) => void,
) {
  let waves = isEmpty ? [] : WAVES;
  let links = given ?? [];
  let status = { ...OPEN, ...changed };
  let requests: OpeningRequestsResponse['requests'] = waiting.map((email) => ({
    email,
    created_at: NOW - DAY_MS,
    source: 'landing_page',
    language: 'en',
  }));

  function readStatus(): Response {
    const { mode, closes_at, max_people } = status;
    const taken = max_people === null ? null : Math.min(people().length, max_people);
    const isOver = closes_at !== null && closes_at <= Date.now();
    const closed = mode !== 'open' ? mode : isOver ? 'closed' : taken !== null && taken === max_people ? 'full' : null;
    const response: ListStatusResponse = { status, closed, people: taken, requests: requests.length };
    return Response.json(response);
  }

  function changeStatus({ closes, zone: _, ...change }: Record<string, unknown>): Response {
    const { link_url: url } = change;
    if (typeof url === 'string' && url !== '' && !url.startsWith('https://')) {
      const message = 'link_url must be an address that starts with https:// or http://';
      return Response.json({ error: { code: 'invalid', message } }, { status: 400 });
    }
    const closes_at = typeof closes === 'string' ? Date.parse(`${closes}Z`) : null;
    status = { ...status, ...change, closes_at };
    return readStatus();
  }

  function invite({ after, count, ids, filter }: Record<string, unknown>): Response {
    if (isOutdated && after === NEWEST.id) {
      waves = [{ ...NEWEST, id: '4', created_at: NOW }, ...waves];
      return refusal(
        'Nobody was invited, because another wave was started since you opened this page. Check it first.',
      );
    }
    const waiting = people(Object.fromEntries(Object.entries(filter ?? {})))
      .filter(({ state, id }) => state === 'subscribed' && (!Array.isArray(ids) || ids.includes(id)))
      .toReversed()
      .slice(0, typeof count === 'number' ? count : undefined);
    if (waiting.length === 0) return refusal('None of them is waiting for an invitation.');
    setState(
      waiting.map(({ id }) => id),
      'invited',
    );
    const size = waiting.length;
    const wave = {
      id: String(waves.length + 1),
      created_at: NOW,
      people: size,
      queued: size,
      sent: 0,
      failed: 0,
      joined: 0,
    };
    waves = [wave, ...waves];
    return Response.json(wave);
  }

  function decide(id: string, credit: Credit): Response {
    const before = credit === 'held' ? 'rejected' : 'held';
    const people = links.find((link) => link.id === id)?.[before] ?? 0;
    links = links.map((link) => (link.id === id ? { ...link, [before]: 0, [credit]: link[credit] + people } : link));
    return Response.json({ people });
  }

  function withdraw(id: string): Response {
    const withdrawn = waves.find((wave) => wave.id === id)?.queued ?? 0;
    waves = waves.map((wave) => (wave.id === id ? { ...wave, people: wave.people - withdrawn, queued: 0 } : wave));
    return Response.json({ withdrawn });
  }

  return {
    /** Returns null for other requests. */
    respond(name: string, body: Record<string, unknown>): Response | null {
      if (name === 'GET /admin/list') {
        const counts = { pending: 0, subscribed: 0, invited: 0, joined: 0, unsubscribed: 0, bounced: 0 };
        for (const { state } of people()) counts[state] += 1;
        const response: ListResponse = { counts, waves, can_invite: canInvite, shares: given !== undefined };
        return Response.json(response);
      }
      if (name === 'GET /admin/list-status') return readStatus();
      if (name === 'POST /admin/list-status') return changeStatus(body);
      if (name === 'GET /admin/list-status/requests')
        return Response.json({ requests } satisfies OpeningRequestsResponse);
      if (name === 'POST /admin/list-status/requests/erase') {
        requests = requests.filter(({ email }) => email !== body.email);
        return Response.json({ erased: true });
      }
      if (name === 'POST /admin/invites') return invite(body);
      if (name === 'GET /admin/links') return Response.json({ links } satisfies LinksResponse);
      const decided = /^POST \/admin\/links\/(.+)\/decide$/.exec(name)?.[1];
      if (decided !== undefined) return decide(decided, CREDITS.find((credit) => credit === body.credit) ?? 'held');
      const id = /^POST \/admin\/invites\/(.+)\/withdraw$/.exec(name)?.[1];
      return id === undefined ? null : withdraw(id);
    },
  };
}

function refusal(message: string): Response {
  return Response.json({ error: { code: 'invalid', message } }, { status: 409 });
}
