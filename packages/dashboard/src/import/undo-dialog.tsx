import { useQuery } from '@tanstack/react-query';
import type { WithdrawalResponse } from 'early-access-server/admin-api';
import { nameImport } from 'early-access-server/admin-pages';
import { useApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface UndoDialogProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks for confirmation before an import's people are erased, and shows their number. */
export function UndoDialog({ id, name, onClose, onDone }: UndoDialogProps) {
  const api = useApi();
  const withdraw = (dryRun: 0 | 1) =>
    api.post<WithdrawalResponse>(`/imports/${encodeURIComponent(id)}/withdraw?dry-run=${dryRun}`);
  const planned = useQuery({
    queryKey: ['people', 'imports', id],
    queryFn: () => withdraw(1),
    staleTime: 0,
    gcTime: 0,
  });
  const undo = useAction(() => withdraw(0), {
    refreshes: [['list'], ['people']],
    done({ erased, traceless }) {
      const copies = traceless ? '' : ' A copy may remain in database files for a while.';
      return `${formatCount(erased, 'person', 'people')} erased.${copies}`;
    },
    onDone() {
      onClose();
      onDone();
    },
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
      <span role="status">{error ? error.message : data ? describe(data) : 'Counting…'}</span>
    </ConfirmDialog>
  );
}

function describe({ erased, kept }: WithdrawalResponse): string {
  const sentences = [
    erased > 0 &&
      `${formatCount(erased, 'person is', 'people are')} erased permanently, with everything stored about them.`,
    kept > 0 &&
      `${formatCount(kept, 'person stays', 'people stay')}, because an email was sent or attempted, or they have since confirmed, unsubscribed or been invited.`,
    erased + kept === 0 && 'Everyone from this import is already erased.',
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}
