import type { ApiKey, ApiKeysResponse } from 'early-access-server/admin-api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { describeUse, formatDateTime } from '../format/format.ts';
import { SettingItem, SettingList } from '../settings/setting-list.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { NewKeyDialog, SCOPE_TEXTS } from './new-key-dialog.tsx';

export function ApiKeys({ zone }: { readonly zone: string }) {
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const query = useRead<ApiKeysResponse>(['api-keys'], '/api-keys', { staleTime: 0 });
  return (
    <Card
      title="API keys"
      actions={
        <Button onClick={() => setMaking(true)}>
          <Plus aria-hidden />
          Create key
        </Button>
      }
    >
      <QueryState query={query} bones={[8]} zone={zone}>
        {({ api_keys }) =>
          api_keys.length === 0 ? (
            <p className={ui.text}>
              No keys yet. A key lets your program do what its scopes allow, such as read figures or add people.
            </p>
          ) : (
            <SettingList>
              {api_keys.map((key) => (
                <SettingItem
                  key={key.id}
                  name={key.name}
                  hints={[
                    key.scopes.map((scope) => SCOPE_TEXTS[scope].name).join(' · '),
                    `${describeUse('used', key.last_used_at, zone)}, created ${formatDateTime(key.created_at, zone)}.`,
                  ]}
                >
                  <Button look="danger" aria-label={`Revoke ${key.name}…`} onClick={() => setRevoked(key)}>
                    Revoke…
                  </Button>
                </SettingItem>
              ))}
            </SettingList>
          )
        }
      </QueryState>
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </Card>
  );
}

function RevokeDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const revoke = useAction((api) => api.post(`/api-keys/${apiKey.id}/revoke`), {
    refreshes: [['api-keys']],
    done: () => 'Key revoked.',
  });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action={revoke.isPending ? 'Revoking…' : 'Revoke key'}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      Programs that use it lose access immediately. This cannot be undone.
    </ConfirmDialog>
  );
}
