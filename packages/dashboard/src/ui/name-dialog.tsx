import { type ReactNode, useRef, useState } from 'react';
import { upperFirst } from '../format/format.ts';
import { FormDialog } from './form-dialog.tsx';
import { TextField } from './text-field.tsx';

interface NameDialogProps {
  readonly title: string;
  /** The text of the button that submits. */
  readonly action: string;
  /** The current name. Default: empty. */
  readonly name?: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  /** The state of the submitted name. */
  readonly attempt: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSubmit: (name: string) => void;
  readonly onClose: () => void;
  /** Shown below the name. */
  readonly children?: ReactNode;
}

export function NameDialog(props: NameDialogProps) {
  const { title, action, name: before = '', placeholder, maxLength, attempt, onSubmit, onClose, children } = props;
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(before);
  return (
    <FormDialog
      title={title}
      action={action}
      busy={attempt.isPending}
      problem={attempt.error && upperFirst(attempt.error.message)}
      problemId="name-problem"
      initialFocus={field}
      onSubmit={() => onSubmit(name)}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label="Name"
        value={name}
        placeholder={placeholder}
        maxLength={maxLength}
        aria-invalid={attempt.error !== null}
        aria-describedby="name-problem"
        onChange={setName}
      />
      {children}
    </FormDialog>
  );
}
