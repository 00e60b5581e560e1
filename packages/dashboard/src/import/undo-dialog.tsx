import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { nameImport, type WithdrawalResponse } from 'early-access-server/admin-api';
import { useApi } from '../api/admin-api.ts';
import { formatCount } from '../format/format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';

interface UndoDialogProps {
  readonly id: string;
  /** The name of the file. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before the people of an import are erased, and says how many. */
export function UndoDialog({ id, name, onClose, onDone }: UndoDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const withdraw = (dryRun: 0 | 1) =>
    api.post<WithdrawalResponse>(`/imports/${encodeURIComponent(id)}/withdraw?dry-run=${dryRun}`);
  const planned = useQuery({
    queryKey: ['people', 'imports', id],
    queryFn: () => withdraw(1),
    staleTime: 0,
    gcTime: 0,
  });
  const undo = useMutation({
    mutationFn: () => withdraw(0),
    onSuccess: ({ erased, traceless }) => {
      const copies = traceless ? '' : ' A copy may remain in database files for a while.';
      notify.done(`${formatCount(erased, 'person was', 'people were')} erased.${copies}`);
      onClose();
      onDone();
    },
    onError: notify.failed,
    onSettled: () => Promise.all(['list', 'people'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const { data, error } = planned;
  return (
    <ConfirmDialog
      title={`Undo ${nameImport(id, { importName: () => name })}?`}
      action={data && data.erased > 0 ? `Erase ${formatCount(data.erased, 'person', 'people')}` : null}
      busy={undo.isPending}
      onConfirm={() => undo.mutate()}
      onClose={onClose}
    >
      <span role="status">{error ? error.message : data ? describe(data) : 'Counting its people…'}</span>
    </ConfirmDialog>
  );
}

function describe({ erased, kept }: WithdrawalResponse): string {
  const sentences = [
    erased > 0 &&
      `${formatCount(erased, 'person is', 'people are')} erased for good, with everything that is stored about them.`,
    kept > 0 &&
      `${formatCount(kept, 'person remains', 'people remain')} on the list, because an email to them was tried, or they have confirmed, unsubscribed or been invited since.`,
    erased + kept === 0 && 'None of its people are still on the list.',
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}
