import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionsResponse } from 'early-access-server/admin-api';
import { useApi } from '../api/admin-api.ts';
import { formatDateTime } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { QueryState } from '../ui/states.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';

type Session = Pick<SessionsResponse['sessions'][number], 'id' | 'device'>;

/** The browsers that are signed in. */
export function Sessions({ zone }: { readonly zone: string }) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.get<SessionsResponse>('/sessions', undefined, signal),
    staleTime: 0,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: Session) => api.post('/sessions/revoke', { id }),
    onSuccess: (_, { device }) => notify.done(`${device} was signed out.`),
    onError: notify.failed,
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Card title="Signed-in browsers">
      <QueryState query={query} bones={[8]} zone={zone}>
        {({ sessions }) => (
          <ul className={styles.sessions}>
            {sessions.map(({ id, email, device, created_at, last_used_at, current }) => (
              <li key={id} className={styles.setting}>
                <div className={styles.text}>
                  <span>
                    {device} {current && <span className={ui.good}>(this&nbsp;browser)</span>}
                  </span>
                  <span className={ui.hint}>
                    {email}. Last used {formatDateTime(last_used_at, zone)}, signed in{' '}
                    {formatDateTime(created_at, zone)}.
                  </span>
                </div>
                {!current && (
                  <Button
                    aria-label={`Sign out ${device}`}
                    busy={revoke.isPending && revoke.variables.id === id}
                    onClick={() => revoke.mutate({ id, device })}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Card>
  );
}
