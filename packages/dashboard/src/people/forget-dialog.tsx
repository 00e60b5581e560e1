import { type FormEvent, useRef, useState } from 'react';
import { formatCount, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { ProgressBar } from '../ui/states.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { useBulk } from './bulk.ts';

interface ForgetDialogProps {
  readonly ids: readonly string[];
  /** The text to type for confirmation: the address of one person, or a phrase for several people. */
  readonly phrase: string;
  readonly onClose: () => void;
  readonly onForgotten: () => void;
}

/** Asks for confirmation before people are erased permanently. */
export function ForgetDialog({ ids, phrase, onClose, onForgotten }: ForgetDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const forget = useBulk('forget', () => {
    onForgotten();
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const matches = typed.trim().toLowerCase() === phrase.toLowerCase();
    setWrong(!matches);
    if (matches && !forget.isPending) forget.mutate(ids);
  };
  return (
    <Dialog title={`Erase ${formatCount(ids.length, 'person', 'people')}?`} open onClose={onClose} initialFocus={field}>
      <p className={ui.text}>
        The address, its source, its session and its emails are erased. Erased people get no more emails. This cannot be
        undone.
      </p>
      <form className={ui.stack} onSubmit={submit} noValidate>
        <TextField
          ref={field}
          label={
            <span className={ui.text}>
              Type <kbd className={ui.phrase}>{phrase}</kbd> to confirm
            </span>
          }
          value={typed}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'forget-problem' : undefined}
          onChange={(text) => {
            setTyped(text);
            setWrong(false);
          }}
          {...AS_TYPED}
        />
        <p role="alert" id="forget-problem" className={`${ui.text} ${ui.problem}`}>
          {isWrong && 'The text does not match. Nobody was erased.'}
        </p>
        <div role="status" className={ui.text}>
          {forget.isPending && (
            <>
              <ProgressBar
                label="People erased"
                value={forget.finished === 0 ? undefined : forget.finished / ids.length}
              />
              {forget.finished === 0
                ? 'Erasing, and checking the database for traces.'
                : `${formatNumber(forget.finished)} of ${formatNumber(ids.length)} done.`}
            </>
          )}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={forget.isPending}>
            {forget.isPending ? 'Erasing…' : 'Erase permanently'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
