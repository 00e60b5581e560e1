import {
  MAX_API_KEY_NAME,
  type NewOverviewLinkResponse,
  type OverviewLinksResponse,
} from 'early-access-server/admin-api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { describeUse, formatDateTime } from '../format/format.ts';
import { overviewFragment } from '../overview/overview-key.ts';
import { SettingItem, SettingList } from '../settings/setting-list.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';

type Link = OverviewLinksResponse['links'][number];

/** Links to the overview for people without an account. */
export function OverviewLinks({ zone }: { readonly zone: string }) {
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Link | null>(null);
  const query = useRead<OverviewLinksResponse>(['overview-links'], '/overview-links', { staleTime: 0 });
  return (
    <Card
      title="Overview links"
      actions={
        <Button onClick={() => setMaking(true)}>
          <Plus aria-hidden />
          Create link
        </Button>
      }
    >
      <QueryState query={query} bones={[8]} zone={zone}>
        {({ links }) =>
          links.length === 0 ? (
            <p className={ui.text}>
              No links yet. Anyone with a link sees the overview without signing in. It shows no addresses.
            </p>
          ) : (
            <SettingList>
              {links.map((link) => (
                <SettingItem
                  key={link.id}
                  name={link.name}
                  hints={[
                    `${describeUse('opened', link.last_used_at, zone)}, created ${formatDateTime(link.created_at, zone)}.`,
                  ]}
                >
                  <Button look="danger" aria-label={`Revoke ${link.name}…`} onClick={() => setRevoked(link)}>
                    Revoke…
                  </Button>
                </SettingItem>
              ))}
            </SettingList>
          )
        }
      </QueryState>
      {isMaking && <NewLinkDialog onClose={() => setMaking(false)} />}
      {revoked && <RevokeDialog link={revoked} onClose={() => setRevoked(null)} />}
    </Card>
  );
}

function NewLinkDialog({ onClose }: { readonly onClose: () => void }) {
  const make = useAction((api, name: string) => api.post<NewOverviewLinkResponse>('/overview-links', { name }), {
    refreshes: [['overview-links']],
    showsError: true,
  });
  if (make.data) {
    const url = `${location.origin}${location.pathname}${overviewFragment(make.data.secret)}`;
    return (
      <SecretDialog title="Link created" label="Link" secret={url} onClose={onClose}>
        Anyone with this link sees the overview until you revoke it.
      </SecretDialog>
    );
  }
  return (
    <NameDialog
      title="Create link"
      action={make.isPending ? 'Creating…' : 'Create link'}
      placeholder="Investors"
      maxLength={MAX_API_KEY_NAME}
      attempt={make}
      onSubmit={(name) => make.mutate(name.trim())}
      onClose={onClose}
    />
  );
}

function RevokeDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const revoke = useAction((api) => api.post(`/overview-links/${link.id}/revoke`), {
    refreshes: [['overview-links']],
    done: () => 'Link revoked.',
  });
  return (
    <ConfirmDialog
      title={`Revoke ${link.name}?`}
      action={revoke.isPending ? 'Revoking…' : 'Revoke link'}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      It stops working immediately for everyone who has it. This cannot be undone.
    </ConfirmDialog>
  );
}
