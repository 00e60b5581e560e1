import { MAX_LABEL_LENGTH } from 'early-access-server/admin-pages';
import { type ReactNode, type Ref, useId } from 'react';
import { useLabels } from '../segments/use-segments.ts';
import { TextField } from '../ui/text-field.tsx';

interface LabelFieldProps {
  readonly label: ReactNode;
  readonly placeholder?: string;
  readonly value: string;
  readonly fieldRef?: Ref<HTMLInputElement>;
  readonly onChange: (value: string) => void;
}

/** An input for a label that suggests existing ones. */
export function LabelField({ label, placeholder, value, fieldRef, onChange }: LabelFieldProps) {
  const list = useId();
  return (
    <TextField
      {...(fieldRef && { ref: fieldRef })}
      label={label}
      placeholder={placeholder}
      value={value}
      maxLength={MAX_LABEL_LENGTH}
      list={list}
      onChange={onChange}
    >
      <datalist id={list}>
        {(useLabels() ?? []).map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
    </TextField>
  );
}
