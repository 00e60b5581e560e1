import { StorageError } from 'early-access-kit/core';
import { MAX_MEMBERS } from '../../app/admin/team.ts';
import type { Member } from '../../app/ports/team-store.ts';
import { Failure } from '../routing/failure.ts';
import { invitedMember, memberRole, newMember, teamList } from '../routing/schemas/team.ts';
import { type AdminRouter, route } from './admin-route.ts';

const GONE = 'this person is no longer in the team';

/** Routes for the team members other than the owners. For admins only. */
export function teamRoutes(router: AdminRouter): void {
  const { service, store } = router;
  const { team, sessions } = service;
  route(router, {
    method: 'get',
    path: '/team',
    summary: 'Who may use the dashboard.',
    response: teamList,
    respond: async () => ({ owners: [...team.owners], members: [...(await store.team.members())] }),
  });
  route(router, {
    method: 'post',
    path: '/team',
    summary: 'Invites someone to the dashboard, by an email with a sign-in link.',
    body: newMember,
    response: invitedMember,
    refusals: { 409: 'The address is in the team already.' },
    async respond({ caller, body: { email, role } }) {
      const isFull = (await store.team.members()).length >= MAX_MEMBERS;
      if (isFull) throw new StorageError('invalid', `the team already has ${MAX_MEMBERS} members; remove one first`);
      const added = team.isOwner(email) ? null : await store.team.invite({ email, role, invited_by: caller.email });
      if (added === null) throw new Failure(409, 'invalid', 'This address is already in the team.');
      await sessions.record(caller, 'invite-member', 1, { member: email });
      await service.requestSignIn(email);
      return added;
    },
  });
  route(router, {
    method: 'post',
    path: '/team/:id',
    summary: 'Changes the role of a member at once.',
    body: memberRole,
    refusals: { 404: 'This person is no longer in the team.' },
    async respond({ id, caller, body: { role } }) {
      const { email } = found(await store.team.changeRole(id, role));
      await sessions.record(caller, 'change-member', 1, { member: email });
    },
  });
  route(router, {
    method: 'post',
    path: '/team/:id/remove',
    summary: 'Removes a member, and ends their sessions at once.',
    details: 'The API keys, webhooks and links they created stay; the audit log names them.',
    refusals: { 404: 'This person is no longer in the team.' },
    async respond({ id, caller }) {
      const { email } = found(await store.team.removeMember(id));
      await sessions.record(caller, 'remove-member', 1, { member: email });
    },
  });
}

function found(member: Member | null): Member {
  if (member === null) throw new Failure(404, 'invalid', GONE);
  return member;
}
