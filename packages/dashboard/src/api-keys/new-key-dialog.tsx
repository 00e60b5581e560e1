import { API_SCOPES, type ApiScope, MAX_API_KEY_NAME, type NewApiKeyResponse } from 'early-access-server/admin-api';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { Checklist } from '../ui/checklist.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import ui from '../ui/ui.module.css';

/** Creates an API key and shows its secret, which cannot be shown again later. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [scopes, setScopes] = useState<readonly ApiScope[]>(['analytics']);
  const make = useAction((api, name: string) => api.post<NewApiKeyResponse>('/api-keys', { name, scopes }), {
    refreshes: [['api-keys']],
    showsError: true,
  });
  if (make.data) {
    return (
      <SecretDialog title="Key created" label="Key" secret={make.data.secret} onClose={onClose}>
        Your program sends it as <code>Authorization: Bearer</code> with each request.
      </SecretDialog>
    );
  }
  return (
    <NameDialog
      title="Create key"
      action={make.isPending ? 'Creating…' : 'Create key'}
      placeholder="Weekly report"
      maxLength={MAX_API_KEY_NAME}
      attempt={make}
      onSubmit={(name) => make.mutate(name.trim())}
      onClose={onClose}
    >
      <Checklist legend="Permissions" options={API_SCOPES} chosen={scopes} onChange={setScopes}>
        {(scope) => (
          <>
            {SCOPE_TEXTS[scope].name}
            <br />
            <span className={ui.hint}>{SCOPE_TEXTS[scope].hint}</span>
          </>
        )}
      </Checklist>
    </NameDialog>
  );
}

export const SCOPE_TEXTS: Readonly<Record<ApiScope, { readonly name: string; readonly hint: string }>> = {
  analytics: { name: 'Read analytics', hint: 'The overview and the size of the list. No addresses.' },
  people: { name: 'Read people', hint: 'Everyone on the list, their records, and the CSV export.' },
  'people:add': { name: 'Add people', hint: 'One at a time, with their consent. Cannot read the list.' },
  'people:write': {
    name: 'Change people',
    hint: 'Unsubscribe people and correct their addresses. Cannot erase anyone.',
  },
  invites: {
    name: 'Invite people',
    hint: 'Invite the next people in line, or specific people, and read invite waves. No addresses.',
  },
  'campaigns:draft': {
    name: 'Write campaign drafts',
    hint: 'Read all campaigns and write drafts. Cannot send or delete campaigns.',
  },
  list: {
    name: 'Open and close the list',
    hint: 'Open, pause or close signups, and change what visitors read. No addresses.',
  },
  redeem: { name: 'Redeem invitations', hint: 'For your product’s back end. Returns the invited address.' },
};
