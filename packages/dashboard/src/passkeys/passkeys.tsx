import { MAX_PASSKEY_NAME, type PasskeysResponse } from 'early-access-server/admin-api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AdminApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { describeUse, formatDateTime } from '../format/format.ts';
import { SettingItem, SettingList } from '../settings/setting-list.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { addPasskey } from './browser-passkeys.ts';

type Passkey = PasskeysResponse['passkeys'][number];

interface Asked {
  readonly to: 'rename' | 'remove';
  readonly passkey: Passkey;
}

export function Passkeys({ zone }: { readonly zone: string }) {
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const query = useRead<PasskeysResponse>(['passkeys'], '/passkeys', { staleTime: 0 });
  const isAvailable = query.data?.is_available && 'PublicKeyCredential' in globalThis;
  const close = () => setAsked(null);
  return (
    <Card
      title="Passkeys"
      actions={
        isAvailable && (
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            Add passkey
          </Button>
        )
      }
    >
      <QueryState query={query} bones={[8]} zone={zone}>
        {({ passkeys, is_available }) => (
          <>
            {!is_available && (
              <p className={ui.text}>Passkeys need a domain. Set PUBLIC_URL to one, and open the dashboard there.</p>
            )}
            {passkeys.length === 0 ? (
              is_available && (
                <p className={ui.text}>
                  No passkeys yet. Sign in with your fingerprint, face or PIN instead of an email. If you lose the
                  device, emailed links still work.
                </p>
              )
            ) : (
              <SettingList>
                {passkeys.map((passkey) => (
                  <SettingItem
                    key={passkey.id}
                    name={passkey.name}
                    hints={[
                      `${describeUse('used', passkey.last_used_at, zone)}, added ${formatDateTime(passkey.created_at, zone)}.`,
                    ]}
                  >
                    <Button aria-label={`Rename ${passkey.name}…`} onClick={() => setAsked({ to: 'rename', passkey })}>
                      Rename…
                    </Button>
                    <Button
                      look="danger"
                      aria-label={`Remove ${passkey.name}…`}
                      onClick={() => setAsked({ to: 'remove', passkey })}
                    >
                      Remove…
                    </Button>
                  </SettingItem>
                ))}
              </SettingList>
            )}
          </>
        )}
      </QueryState>
      {isAdding && (
        <PasskeyDialog
          title="Add passkey"
          action="Continue"
          act={addPasskey}
          done="Passkey added."
          onClose={() => setAdding(false)}
        />
      )}
      {asked?.to === 'rename' && (
        <PasskeyDialog
          title="Rename passkey"
          action="Rename"
          name={asked.passkey.name}
          act={(api, name) => api.post(`/passkeys/${asked.passkey.id}`, { name })}
          done="Renamed."
          onClose={close}
        />
      )}
      {asked?.to === 'remove' && <RemoveDialog passkey={asked.passkey} onClose={close} />}
    </Card>
  );
}

interface PasskeyDialogProps {
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  readonly act: (api: AdminApi, name: string) => Promise<unknown>;
  readonly done: string;
  readonly onClose: () => void;
}

/** Asks for a name. The browser then shows its own dialogs. */
function PasskeyDialog({ act, done, ...dialog }: PasskeyDialogProps) {
  const save = useAction(act, {
    refreshes: [['passkeys']],
    done: () => done,
    onDone: dialog.onClose,
    showsError: true,
  });
  return (
    <NameDialog
      {...dialog}
      placeholder="Laptop"
      maxLength={MAX_PASSKEY_NAME}
      attempt={save}
      onSubmit={(name) => save.mutate(name.trim())}
    />
  );
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const remove = useAction((api) => api.post(`/passkeys/${passkey.id}/remove`), {
    refreshes: [['passkeys']],
    done: () => 'Passkey removed.',
  });
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      action={remove.isPending ? 'Removing…' : 'Remove passkey'}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      It can no longer sign in. Your device may still offer it until you delete it there. Signed-in browsers stay signed
      in.
    </ConfirmDialog>
  );
}
