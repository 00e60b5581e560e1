import { MESSAGE_KINDS, type Person } from 'early-access-server/admin-api';
import { formatCount } from '../format/format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { KIND_NAMES } from '../ui/message-kinds.ts';
import { useBulk } from './bulk.ts';

interface ResendDialogProps {
  readonly people: readonly Person[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows which emails will be resent and asks for confirmation. */
export function ResendDialog({ people, onClose, onDone }: ResendDialogProps) {
  const recipients = people.filter(({ resends }) => resends !== null);
  const resend = useBulk('resend', () => {
    onDone();
    onClose();
  });
  const kinds = MESSAGE_KINDS.flatMap((kind) => {
    const count = recipients.filter(({ resends }) => resends === kind).length;
    return count === 0 ? [] : formatCount(count, ...KIND_NAMES[kind]);
  });
  const others = people.length - recipients.length;
  const mayArriveTwice = recipients.some(({ mail }) => mail?.state === 'sent' || mail?.state === 'unknown');
  return (
    <ConfirmDialog
      title={
        recipients.length === 0
          ? 'No email to send again'
          : `Send ${new Intl.ListFormat('en').format(kinds)}${recipients.some(({ mail }) => mail !== null) ? ' again' : ''}?`
      }
      action={recipients.length === 0 ? null : `Send ${formatCount(recipients.length, 'email', 'emails')}`}
      look="primary"
      busy={resend.isPending}
      onConfirm={() => resend.mutate(recipients.map(({ id }) => id))}
      onClose={onClose}
    >
      {recipients.length === 1 && people.length === 1 && `It goes to ${recipients[0]?.email}. `}
      {others > 0 &&
        `${formatCount(others, 'person', 'people')} won’t get an email: they unsubscribed, or were imported without one. `}
      {mayArriveTwice && 'Emails that have already arrived will arrive twice.'}
    </ConfirmDialog>
  );
}
