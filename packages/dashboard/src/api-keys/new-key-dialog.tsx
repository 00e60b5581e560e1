import { useMutation, useQueryClient } from '@tanstack/react-query';
import { API_SCOPES, type ApiScope, MAX_API_KEY_NAME, type NewApiKeyResponse } from 'early-access-server/admin-api';
import { type FormEvent, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Checklist } from '../ui/checklist.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import ui from '../ui/ui.module.css';

/** Makes a key. It is shown here, and never again. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiScope[]>(['analytics']);
  const make = useMutation({
    mutationFn: () => api.post<NewApiKeyResponse>('/api-keys', { name: name.trim(), scopes }),
    onSettled: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  if (make.data) {
    return (
      <SecretDialog title="The key was made" label="Key" secret={make.data.secret} onClose={onClose}>
        Your program sends it as <code>Authorization: Bearer</code> with each request.
      </SecretDialog>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!make.isPending) make.mutate();
  };
  return (
    <Dialog title="Create a key" open onClose={onClose} initialFocus={field}>
      <form className={ui.stack} onSubmit={submit} noValidate>
        <label className={ui.field}>
          Name
          <input
            ref={field}
            className={ui.input}
            value={name}
            placeholder="Weekly report"
            maxLength={MAX_API_KEY_NAME}
            autoComplete="off"
            aria-invalid={make.isError}
            aria-describedby="key-problem"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <Checklist legend="Permissions" options={API_SCOPES} chosen={scopes} onChange={setScopes}>
          {(scope) => (
            <>
              {SCOPE_TEXTS[scope].name}
              <br />
              <span className={ui.hint}>{SCOPE_TEXTS[scope].hint}</span>
            </>
          )}
        </Checklist>
        <p role="alert" id="key-problem" className={`${ui.text} ${ui.problem}`}>
          {make.error && upperFirst(make.error.message)}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={make.isPending}>
            {make.isPending ? 'Creating…' : 'Create the key'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The rights of a key with each scope. */
export const SCOPE_TEXTS: Readonly<Record<ApiScope, { readonly name: string; readonly hint: string }>> = {
  analytics: { name: 'Read analytics', hint: 'The figures of the overview and of the list. No addresses.' },
  people: { name: 'Read people', hint: 'Everyone on the list, with their records and the CSV.' },
  'people:add': { name: 'Add people', hint: 'One at a time, with what they agreed to. It cannot read the list.' },
  'people:write': {
    name: 'Change people',
    hint: 'Unsubscribe them and correct their addresses. It cannot erase anyone.',
  },
  invites: { name: 'Invite people', hint: 'The next people or certain ones, and read the invite waves. No addresses.' },
  'campaigns:draft': {
    name: 'Write drafts of emails',
    hint: 'It reads all campaigns. It can neither send nor delete one.',
  },
  redeem: { name: 'Redeem invitations', hint: 'For the back end of your product. It learns the addresses.' },
};
