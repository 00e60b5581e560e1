import type { OpeningRequestsResponse } from 'early-access-server/admin-api';
import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';

interface WaitingDialogProps {
  readonly total: number;
  readonly zone: string;
  readonly onClose: () => void;
}

/** The people who wait for the list to open. */
export function WaitingDialog({ total, zone, onClose }: WaitingDialogProps) {
  const api = useApi();
  const query = useRead<OpeningRequestsResponse>(['list-status', 'requests'], '/list-status/requests', {
    staleTime: 0,
  });
  const [erased, setErased] = useState<string | null>(null);
  const erase = useAction((api, email: string) => api.post('/list-status/requests/erase', { email }), {
    refreshes: [['list-status']],
    done: () => 'Person erased.',
    onDone: () => setErased(null),
  });
  if (erased !== null) {
    return (
      <ConfirmDialog
        title="Erase this person?"
        action={erase.isPending ? 'Erasing…' : 'Erase'}
        busy={erase.isPending}
        onConfirm={() => erase.mutate(erased)}
        onClose={() => setErased(null)}
      >
        {erased} no longer waits for the list to open, and everything that is stored about them is deleted.
      </ConfirmDialog>
    );
  }
  return (
    <Dialog title="Waiting for the list to open" open onClose={onClose}>
      <QueryState query={query} bones={[12]} zone={zone}>
        {({ requests }) => (
          <div className={ui.stack}>
            {requests.length === 0 ? (
              <p className={ui.text}>Nobody is waiting.</p>
            ) : (
              <table className={`${ui.table} ${ui.cards}`}>
                <TableHead columns={['Address', 'Entered', 'Erase']} />
                <tbody>
                  {requests.map(({ email, created_at }) => (
                    <tr key={email}>
                      <th scope="row">{email}</th>
                      <td>{formatDateTime(created_at, zone)}</td>
                      <td>
                        <Button aria-label={`Erase ${email}`} onClick={() => setErased(email)}>
                          Erase
                        </Button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <p className={ui.text}>
              {total > requests.length && `The first ${formatNumber(requests.length)} of ${formatNumber(total)}. `}
              <a className={ui.button} href={api.frameUrl('/list-status/requests.csv', new URLSearchParams())} download>
                Download all as CSV
              </a>
            </p>
          </div>
        )}
      </QueryState>
    </Dialog>
  );
}
