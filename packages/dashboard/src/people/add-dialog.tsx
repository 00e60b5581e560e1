import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AddedPersonResponse, MAX_CONSENT_LENGTH } from 'early-access-server/admin-api';
import { type FormEvent, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { AddressField } from './address-field.tsx';

const STATES = {
  pending: 'Ask them by email',
  subscribed: 'They have agreed already: send no email',
} as const;

interface AddDialogProps {
  readonly onClose: () => void;
  /** Gets the id of the person, also if they were on the list already. */
  readonly onAdded: (id: string) => void;
}

/** Adds a person by hand. */
export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [consent, setConsent] = useState('');
  const [state, setState] = useState<keyof typeof STATES>('pending');
  const add = useMutation({
    mutationFn: () => api.post<AddedPersonResponse>('/people', { email: email.trim(), consent_text: consent, state }),
    onSuccess: ({ result, id }) => {
      notify.done(result === 'added' ? 'The person was added.' : 'They were on the list already. Nothing has changed.');
      onClose();
      onAdded(id);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!add.isPending) add.mutate();
  };
  return (
    <Dialog title="Add a person" open onClose={onClose} initialFocus={field}>
      <form className={ui.stack} onSubmit={submit} noValidate>
        <AddressField ref={field} label="Address" value={email} isWrong={add.isError} onChange={setEmail} />
        <label className={ui.field}>
          What they agreed to, and how
          <textarea
            className={ui.input}
            rows={3}
            maxLength={MAX_CONSENT_LENGTH}
            value={consent}
            placeholder="Asked me at our stand on 3 May to write when we open."
            aria-describedby="address-problem"
            onChange={({ target }) => setConsent(target.value)}
          />
          <span className={ui.hint}>It is stored as their consent.</span>
        </label>
        <label className={ui.field}>
          Confirmation
          <select
            className={ui.input}
            value={state}
            onChange={({ target }) => setState(target.value === 'subscribed' ? 'subscribed' : 'pending')}
          >
            {Object.entries(STATES).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <p role="alert" id="address-problem" className={`${ui.text} ${ui.problem}`}>
          {add.error && upperFirst(add.error.message.replace('consent_text', 'the consent'))}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {add.isPending ? 'Adding…' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
