import type { Person } from 'early-access-server/admin-api';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useBulk } from './bulk.ts';

interface UnsubscribeDialogProps {
  readonly person: Pick<Person, 'id' | 'email'>;
  readonly onClose: () => void;
}

/** Asks for confirmation before a person is unsubscribed, because no admin can undo it. */
export function UnsubscribeDialog({ person: { id, email }, onClose }: UnsubscribeDialogProps) {
  const unsubscribe = useBulk('unsubscribe', onClose);
  return (
    <ConfirmDialog
      title="Unsubscribe this person?"
      action={unsubscribe.isPending ? 'Unsubscribing…' : 'Unsubscribe'}
      busy={unsubscribe.isPending}
      onConfirm={() => unsubscribe.mutate([id])}
      onClose={onClose}
    >
      {email} gets no more emails, not even those already queued. Only they can undo this, by signing up again and
      confirming.
    </ConfirmDialog>
  );
}
