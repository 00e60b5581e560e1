import { type Member, ROLES, type Role, type TeamResponse } from 'early-access-server/admin-api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime } from '../format/format.ts';
import { SettingItem, SettingList } from '../settings/setting-list.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { InviteMemberDialog } from './invite-member-dialog.tsx';
import { ROLE_TEXTS } from './role-texts.ts';

/** The dashboard's users and the role of each. */
export function Team({ zone }: { readonly zone: string }) {
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<Member | null>(null);
  const query = useRead<TeamResponse>(['team'], '/team', { staleTime: 0 });
  const change = useAction(
    (api, { id, role }: Pick<Member, 'id' | 'email' | 'role'>) => api.post(`/team/${id}`, { role }),
    {
      refreshes: [['team']],
      done: (_, { email, role }) => `Role of ${email} changed to ${ROLE_TEXTS[role].name}.`,
    },
  );
  return (
    <Card
      title="Team"
      actions={
        <Button onClick={() => setInviting(true)}>
          <Plus aria-hidden />
          Invite someone
        </Button>
      }
    >
      <QueryState query={query} bones={[8]} zone={zone}>
        {({ owners, members }) => (
          <SettingList>
            {owners.map((email) => (
              <SettingItem key={email} name={email} hints={['Owner, set in ADMIN_EMAIL.']} />
            ))}
            {members.map((member) => (
              <SettingItem key={member.id} name={member.email} hints={[describeMember(member, zone)]} isWide>
                <select
                  className={ui.input}
                  aria-label={`Role of ${member.email}`}
                  value={member.role}
                  disabled={change.isPending}
                  onChange={({ target }) => {
                    const role = ROLES.find((known) => known === target.value);
                    if (role) change.mutate({ ...member, role });
                  }}
                >
                  {ROLES.map((role: Role) => (
                    <option key={role} value={role}>
                      {ROLE_TEXTS[role].name}
                    </option>
                  ))}
                </select>
                <Button look="danger" aria-label={`Remove ${member.email}…`} onClick={() => setRemoved(member)}>
                  Remove…
                </Button>
              </SettingItem>
            ))}
          </SettingList>
        )}
      </QueryState>
      {isInviting && <InviteMemberDialog onClose={() => setInviting(false)} />}
      {removed && <RemoveDialog member={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function describeMember({ signed_in_at, invited_at, invited_by }: Member, zone: string): string {
  const invited = `invited by ${invited_by} ${formatDateTime(invited_at, zone)}.`;
  return signed_in_at === null
    ? `Has not signed in yet, ${invited}`
    : `First sign-in ${formatDateTime(signed_in_at, zone)}, ${invited}`;
}

function RemoveDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const remove = useAction((api) => api.post(`/team/${member.id}/remove`), {
    refreshes: [['team'], ['sessions']],
    done: () => `${member.email} removed.`,
  });
  return (
    <ConfirmDialog
      title={`Remove ${member.email}?`}
      action={remove.isPending ? 'Removing…' : 'Remove from the team'}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      They are signed out everywhere immediately. API keys, overview links and webhooks that they created keep working:
      the audit log on Health names them, and you can revoke each.
    </ConfirmDialog>
  );
}
