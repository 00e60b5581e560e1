import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../access/roles.ts';
import { dashboardTeam, mayEndSession, maySeeSession } from './team.ts';

const EMAILS = ['owner@example.com', 'ada@example.com', 'bob@example.com'] as const;
const caller = fc.record({
  email: fc.constantFrom(...EMAILS),
  role: fc.constantFrom(...ROLES),
  isOwner: fc.boolean(),
});

describe('sessions of the team', () => {
  it('are seen by their own people and by admins', () => {
    fc.assert(
      fc.property(caller, fc.constantFrom(...EMAILS), (caller, of) => {
        expect(maySeeSession(caller, of)).toBe(caller.role === 'admin' || caller.email === of);
      }),
    );
  });

  it("are ended by those who see them, but an owner's only by owners", () => {
    fc.assert(
      fc.property(caller, fc.constantFrom(...EMAILS), fc.boolean(), (caller, of, isOwners) => {
        const may = mayEndSession(caller, of, isOwners);
        expect(may).toBe(maySeeSession(caller, of) && (caller.isOwner || !isOwners));
      }),
    );
  });
});

it('the setting wins over an invitation', async () => {
  const member = { id: '1', role: 'viewer', invited_at: 0, invited_by: '', signed_in_at: null } as const;
  const team = dashboardTeam(['owner@example.com'], {
    findMember: (email) => (email.startsWith('eve') ? null : { ...member, email }),
    members: () => [
      { ...member, email: 'owner@example.com' },
      { ...member, email: 'ada@example.com' },
    ],
  });
  expect(await team.findAccess('owner@example.com')).toEqual({ role: 'admin', isOwner: true });
  expect(await team.findAccess('ada@example.com')).toEqual({ role: 'viewer', isOwner: false });
  expect(await team.findAccess('eve@example.com')).toBeNull();
  expect(await team.addresses()).toEqual(['owner@example.com', 'ada@example.com']);
});
