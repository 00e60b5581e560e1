import type { ReactNode } from 'react';
import styles from './checklist.module.css';

interface ChecklistProps<T extends string> {
  readonly legend: string;
  /** In the order of the list and of the result. */
  readonly options: readonly T[];
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
  readonly children: (option: T) => ReactNode;
}

export function Checklist<T extends string>({ legend, options, chosen, onChange, children }: ChecklistProps<T>) {
  return (
    <fieldset className={styles.list}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option} className={styles.option}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              onChange(options.filter((known) => (known === option ? target.checked : chosen.includes(known))))
            }
          />
          <span>{children(option)}</span>
        </label>
      ))}
    </fieldset>
  );
}
