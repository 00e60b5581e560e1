import { useQueryClient } from '@tanstack/react-query';
import type { SessionsResponse } from 'early-access-server/admin-api';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { describeUse, formatDateTime } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { SettingItem, SettingList } from './setting-list.tsx';

type Session = Pick<SessionsResponse['sessions'][number], 'id' | 'device'>;

/** The browsers in which the admin is signed in. */
export function Sessions({ zone }: { readonly zone: string }) {
  const query = useRead<SessionsResponse>(['sessions'], '/sessions', { staleTime: 0 });
  const revoke = useAction((api, { id }: Session) => api.post('/sessions/revoke', { id }), {
    refreshes: [['sessions']],
    done: (_, { device }) => `${device} signed out.`,
  });
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title="Signed-in browsers"
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          Sign out everywhere…
        </Button>
      }
    >
      <QueryState query={query} bones={[8]} zone={zone}>
        {({ sessions }) => (
          <SettingList>
            {sessions.map(({ id, email, device, created_at, last_used_at, current, can_end }) => (
              <SettingItem
                key={id}
                name={
                  <>
                    {device} {current && <span className={ui.good}>(this&nbsp;browser)</span>}
                  </>
                }
                hints={[
                  email,
                  `${describeUse('used', last_used_at, zone)}, signed in ${formatDateTime(created_at, zone)}.`,
                ]}
              >
                {!current && can_end && (
                  <Button
                    aria-label={`Sign out ${device}`}
                    busy={revoke.isPending && revoke.variables.id === id}
                    onClick={() => revoke.mutate({ id, device })}
                  >
                    Sign out
                  </Button>
                )}
              </SettingItem>
            ))}
          </SettingList>
        )}
      </QueryState>
      {isAsking && <SignOutEverywhereDialog onClose={() => setAsking(false)} />}
    </Card>
  );
}

function SignOutEverywhereDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const signOut = useAction((api) => api.direct.post('/sign-out-everywhere'), {
    refreshes: [],
    onDone: () => {
      // Removes people's data from memory.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'brand' && queryKey[0] !== 'session' });
      void client.resetQueries({ queryKey: ['session'] });
    },
  });
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      action={signOut.isPending ? 'Signing out…' : 'Sign out everywhere'}
      busy={signOut.isPending}
      onConfirm={() => signOut.mutate(undefined, { onError: onClose })}
      onClose={onClose}
    >
      You are signed out in every browser, including this one, and sign-in links in your inbox stop working. Your
      passkeys stay: remove any that you have lost.
    </ConfirmDialog>
  );
}
