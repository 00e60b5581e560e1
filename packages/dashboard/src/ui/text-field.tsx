import type { ComponentProps, ReactNode } from 'react';
import ui from './ui.module.css';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: ReactNode;
  readonly onChange: (value: string) => void;
  /** Shown below the input. */
  readonly children?: ReactNode;
}

/** A single-line input with its label. */
export function TextField({ label, onChange, children, ...input }: TextFieldProps) {
  return (
    <label className={ui.field}>
      {label}
      <input className={ui.input} autoComplete="off" onChange={({ target }) => onChange(target.value)} {...input} />
      {children}
    </label>
  );
}

/** For addresses and codes, which should not be autocorrected. */
export const AS_TYPED = { autoCapitalize: 'none', spellCheck: false } as const;
