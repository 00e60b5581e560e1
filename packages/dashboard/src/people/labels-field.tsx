import { MAX_LABEL_LENGTH } from 'early-access-server/admin-pages';
import { type Ref, useId } from 'react';
import { useLabels } from '../segments/use-segments.ts';
import { TextField } from '../ui/text-field.tsx';

interface LabelFieldProps {
  readonly label: string;
  readonly value: string;
  readonly fieldRef?: Ref<HTMLInputElement>;
  readonly onChange: (value: string) => void;
}

/** A label to enter, with those in use as suggestions. */
export function LabelField({ label, value, fieldRef, onChange }: LabelFieldProps) {
  const list = useId();
  return (
    <TextField
      {...(fieldRef && { ref: fieldRef })}
      label={label}
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
