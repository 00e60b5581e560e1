import { ROLES, type Role } from 'early-access-server/admin-api';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { upperFirst } from '../format/format.ts';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { ROLE_TEXTS } from './role-texts.ts';

export function InviteMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useAction((api) => api.post('/team', { email: email.trim(), role }), {
    refreshes: [['team']],
    done: () => 'Invitation sent.',
    onDone: onClose,
    showsError: true,
  });
  return (
    <FormDialog
      title="Invite someone"
      intro={<p className={ui.text}>They get an email with a link to sign in.</p>}
      action={invite.isPending ? 'Inviting…' : 'Invite'}
      busy={invite.isPending}
      problem={invite.error && upperFirst(invite.error.message)}
      problemId="member-problem"
      initialFocus={field}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label="Email address"
        type="email"
        value={email}
        aria-invalid={invite.isError}
        aria-describedby="member-problem"
        onChange={setEmail}
        {...AS_TYPED}
      />
      <Choice
        label="Role"
        value={role}
        options={ROLES.map((role): readonly [Role, string] => [role, ROLE_TEXTS[role].name])}
        onChoose={setRole}
      />
      <p className={ui.hint} role="status">
        {ROLE_TEXTS[role].hint}
      </p>
    </FormDialog>
  );
}
