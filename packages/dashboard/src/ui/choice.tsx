import ui from './ui.module.css';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly disabled?: boolean;
  readonly className?: string | undefined;
  readonly onChoose: (value: T) => void;
}

/** A native select, because the phone's own picker is the most accessible one. */
export function Choice<T extends string>({
  label,
  value,
  options,
  disabled,
  className = '',
  onChoose,
}: ChoiceProps<T>) {
  return (
    <label className={`${ui.field} ${className}`}>
      {label}
      <select
        className={ui.input}
        value={value}
        disabled={disabled}
        onChange={({ target }) => {
          const chosen = options.find(([option]) => option === target.value);
          if (chosen) onChoose(chosen[0]);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
