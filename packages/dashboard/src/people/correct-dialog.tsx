import type { PersonRecord } from 'early-access-server/admin-api';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { upperFirst } from '../format/format.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';

interface CorrectDialogProps {
  readonly person: Pick<PersonRecord, 'id' | 'email' | 'new_email'>;
  readonly onClose: () => void;
}

/** Sends an email to the new address. Its owner confirms the change. */
export function CorrectDialog({ person: { id, email, new_email }, onClose }: CorrectDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [entered, setEntered] = useState(new_email ?? email);
  const correct = useAction((api) => api.post(`/people/${encodeURIComponent(id)}/correct`, { email: entered.trim() }), {
    refreshes: [['people']],
    done: () => 'Email to the new address queued.',
    onDone: onClose,
    showsError: true,
  });
  return (
    <FormDialog
      title="Correct address"
      intro={
        <p className={ui.text}>
          An email goes to the new address. Once its owner confirms it, it replaces {email}. Until then nothing changes.
        </p>
      }
      action={correct.isPending ? 'Sending…' : 'Send email'}
      busy={correct.isPending}
      problem={correct.error && upperFirst(correct.error.message)}
      problemId="address-problem"
      initialFocus={field}
      onSubmit={() => correct.mutate()}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label="New address"
        type="email"
        value={entered}
        aria-invalid={correct.isError}
        aria-describedby="address-problem"
        onChange={setEntered}
        {...AS_TYPED}
      />
    </FormDialog>
  );
}
