import type { Ref } from 'react';
import ui from '../ui/ui.module.css';

interface AddressFieldProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly value: string;
  /** Whether the text with the id `address-problem` says what is wrong. */
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

/** The address of a person, as an admin enters it. */
export function AddressField({ ref, label, value, isWrong, onChange }: AddressFieldProps) {
  return (
    <label className={ui.field}>
      {label}
      <input
        ref={ref}
        className={ui.input}
        type="email"
        value={value}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby="address-problem"
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
