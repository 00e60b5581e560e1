import { formatCount } from '../format/format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Bounced, useRestore } from './bulk.ts';

interface RestoreDialogProps {
  readonly who: Bounced;
  readonly count: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks for confirmation before bounced people are returned to their previous state. */
export function RestoreDialog({ who, count, onClose, onDone }: RestoreDialogProps) {
  const restore = useRestore(() => {
    onDone();
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Restore ${formatCount(count, 'person', 'people')}?`}
      action={restore.isPending ? 'Restoring…' : 'Restore'}
      look="primary"
      busy={restore.isPending}
      onConfirm={() => restore.mutate(who)}
      onClose={onClose}
    >
      They return to their previous state and can receive emails again. Do this if the refusal was not about them. No
      email is sent. An address that does not exist will bounce again.
    </ConfirmDialog>
  );
}
