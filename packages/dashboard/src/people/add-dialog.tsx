import { type AddedPersonResponse, MAX_CONSENT_LENGTH } from 'early-access-server/admin-api';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { upperFirst } from '../format/format.ts';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';

const STATES = [
  ['pending', 'Ask them by email'],
  ['subscribed', 'Already agreed: send no email'],
] as const;

interface AddDialogProps {
  readonly onClose: () => void;
  /** Called with the person's id, even if they were already on the list. */
  readonly onAdded: (id: string) => void;
}

/** Adds a person manually. */
export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [consent, setConsent] = useState('');
  const [state, setState] = useState<(typeof STATES)[number][0]>('pending');
  const add = useAction(
    (api) => api.post<AddedPersonResponse>('/people', { email: email.trim(), consent_text: consent, state }),
    {
      refreshes: [['people']],
      done: ({ result }) => (result === 'added' ? 'Person added.' : 'Already on the list. Nothing changed.'),
      onDone({ id }) {
        onClose();
        onAdded(id);
      },
      showsError: true,
    },
  );
  return (
    <FormDialog
      title="Add a person"
      action={add.isPending ? 'Adding…' : 'Add'}
      busy={add.isPending}
      problem={add.error && upperFirst(add.error.message.replace('consent_text', 'the consent'))}
      problemId="address-problem"
      initialFocus={field}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label="Address"
        type="email"
        value={email}
        aria-invalid={add.isError}
        aria-describedby="address-problem"
        onChange={setEmail}
        {...AS_TYPED}
      />
      <label className={ui.field}>
        What they agreed to, and how
        <textarea
          className={ui.input}
          rows={3}
          maxLength={MAX_CONSENT_LENGTH}
          value={consent}
          placeholder="Asked at our booth on 3 May to be emailed when we open."
          aria-describedby="address-problem"
          onChange={({ target }) => setConsent(target.value)}
        />
        <span className={ui.hint}>Stored as proof of their consent.</span>
      </label>
      <Choice label="Confirmation" value={state} options={STATES} onChoose={setState} />
    </FormDialog>
  );
}
