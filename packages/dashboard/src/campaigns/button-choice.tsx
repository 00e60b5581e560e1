import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

interface ButtonChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** A single choice among a few options, each of which is a button. */
export function ButtonChoice<T extends string>({ label, options, chosen, onChoose }: ButtonChoiceProps<T>) {
  if (options.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its own look
    <div role="group" aria-label={label} className={`${ui.row} ${styles.looks}`}>
      {options.map(([value, text]) => (
        <Button
          key={value}
          {...(value === chosen ? {} : { look: 'quiet' as const })}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
