import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PersonRecord } from 'early-access-server/admin-api';
import { type FormEvent, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { AddressField } from './address-field.tsx';

interface CorrectDialogProps {
  readonly person: Pick<PersonRecord, 'id' | 'email' | 'new_email'>;
  readonly onClose: () => void;
}

/** Sends an email to another address, whose owner makes it the person's. */
export function CorrectDialog({ person: { id, email, new_email }, onClose }: CorrectDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const [entered, setEntered] = useState(new_email ?? email);
  const correct = useMutation({
    mutationFn: () => api.post<null>(`/people/${encodeURIComponent(id)}/correct`, { email: entered.trim() }),
    onSuccess: () => {
      notify.done('The email to the new address is queued.');
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!correct.isPending) correct.mutate();
  };
  return (
    <Dialog title="Correct the address" open onClose={onClose} initialFocus={field}>
      <p className={ui.text}>
        An email goes to the new address. Once its owner confirms it, it replaces {email}. Until then nothing changes.
      </p>
      <form className={ui.stack} onSubmit={submit} noValidate>
        <AddressField ref={field} label="New address" value={entered} isWrong={correct.isError} onChange={setEntered} />
        <p role="alert" id="address-problem" className={`${ui.text} ${ui.problem}`}>
          {correct.error && upperFirst(correct.error.message)}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={correct.isPending}>
            {correct.isPending ? 'Sending…' : 'Send the email'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
