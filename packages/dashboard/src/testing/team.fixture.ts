import { DAY_MS } from 'early-access-kit/internal';
import {
  type Member,
  type NewOverviewLinkResponse,
  type OverviewLinksResponse,
  ROLES,
  type TeamResponse,
} from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const OWNER = 'admin@acme.example';
const MEMBERS: readonly Member[] = [
  {
    id: 'grace',
    email: 'grace@acme.example',
    role: 'admin',
    invited_at: NOW - 30 * DAY_MS,
    invited_by: OWNER,
    signed_in_at: NOW - 29 * DAY_MS,
  },
  {
    id: 'writer',
    email: 'the.person.who.writes.our.newsletters@agency.example',
    role: 'editor',
    invited_at: NOW - DAY_MS,
    invited_by: 'grace@acme.example',
    signed_in_at: null,
  },
];
const LINKS: OverviewLinksResponse['links'] = [
  { id: 'investors', name: 'Investors', created_at: NOW - 9 * DAY_MS, last_used_at: NOW - DAY_MS / 2 },
  { id: 'board', name: 'The screen in the kitchen', created_at: NOW - 2 * DAY_MS, last_used_at: null },
];
/** The key that the fake server accepts. */
export const OVERVIEW_KEY = 'eak_TUZLUTlyOEdLWXFyVHdqVVBEOElMUFo2M2ZfZ0Fo-0A';

/** The fake server's team and overview links. `respond` returns undefined for every other request. */
export function fakeTeam(isEmpty: boolean) {
  let members = isEmpty ? [] : MEMBERS;
  let links = isEmpty ? [] : LINKS;
  const done = () => new Response(null, { status: 204 });
  return {
    respond(name: string, body: Record<string, unknown>): Response | undefined {
      const [, method, kind, id, action] =
        /^(GET|POST) \/admin\/(team|overview-links)(?:\/(\w+))?(?:\/(\w+))?$/.exec(name) ?? [];
      if (method === undefined) return undefined;
      if (kind === 'overview-links') {
        if (method === 'GET') return Response.json({ links } satisfies OverviewLinksResponse);
        if (id !== undefined) links = links.filter((link) => link.id !== id);
        if (id !== undefined) return done();
        const link = { id: 'made', name: String(body.name), created_at: NOW, last_used_at: null };
        links = [link, ...links];
        return Response.json({ link, secret: OVERVIEW_KEY } satisfies NewOverviewLinkResponse);
      }
      if (method === 'GET') return Response.json({ owners: [OWNER], members: [...members] } satisfies TeamResponse);
      if (action === 'remove') {
        members = members.filter((member) => member.id !== id);
        return done();
      }
      const role = ROLES.find((known) => known === body.role) ?? 'viewer';
      if (id !== undefined) {
        members = members.map((member) => (member.id === id ? { ...member, role } : member));
        return done();
      }
      const email = String(body.email);
      if ([OWNER, ...members.map((member) => member.email)].includes(email)) {
        const error = { code: 'invalid', message: 'This address is already in the team.' };
        return Response.json({ error }, { status: 409 });
      }
      const added = { id: 'made', email, role, invited_at: NOW, invited_by: OWNER, signed_in_at: null };
      members = [...members, added];
      return Response.json(added satisfies Member);
    },
  };
}
