import type { UnknownDecision, UnsentMail } from 'early-access-server/admin-api';
import { useRef } from 'react';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { KIND_LABELS } from '../ui/message-kinds.ts';
import ui from '../ui/ui.module.css';

interface UnknownDialogProps {
  readonly message: UnsentMail;
  readonly onClose: () => void;
}

/** Asks whether an email that may have arrived was sent. The focus is on the button that changes nothing. */
export function UnknownDialog({ message: { id, email, kind, attempts, reason }, onClose }: UnknownDialogProps) {
  const leave = useRef<HTMLButtonElement>(null);
  const decide = useAction((api, decision: UnknownDecision) => api.post(`/mail/unknown/${id}`, { decision }), {
    refreshes: [['mail'], ['campaigns']],
    done: (_, decision) => (decision === 'sent' ? `Marked as sent to ${email}.` : `Resending to ${email}.`),
    onDone: onClose,
  });
  return (
    <Dialog title={`Was it sent to ${email}?`} open onClose={onClose} initialFocus={leave}>
      <div className={ui.stack}>
        <p className={ui.text}>
          {`The connection was lost before the mail server replied, so ${email} may already have this email. ${KIND_LABELS[kind]}, ${formatCount(attempts, 'attempt', 'attempts')}${reason === null ? '' : `: ${reason}`}.`}
        </p>
        <p className={ui.text}>
          Check your mail server’s log. If you cannot tell and the email matters, send it again; it may arrive twice.
        </p>
      </div>
      <DialogActions>
        <Button ref={leave} onClick={onClose}>
          Decide later{' '}
        </Button>
        <Button busy={decide.isPending} onClick={() => decide.mutate('sent')}>
          Mark as sent
        </Button>
        <Button look="primary" busy={decide.isPending} onClick={() => decide.mutate('again')}>
          Send again
        </Button>
      </DialogActions>
    </Dialog>
  );
}
