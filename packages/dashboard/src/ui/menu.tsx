import { Ellipsis } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from './button.tsx';
import styles from './menu.module.css';
import ui from './ui.module.css';
import { useDismiss } from './use-dismiss.ts';

export interface Action {
  readonly text: string;
  readonly look?: 'danger';
  readonly act: () => void;
}

/** A button that opens a list of actions. */
export function Menu({ label, actions }: { readonly label: string; readonly actions: readonly Action[] }) {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const dismiss = useDismiss<HTMLDivElement>(isOpen, close);
  return (
    <div className={styles.box} {...dismiss}>
      <Button icon aria-label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Ellipsis aria-hidden />
      </Button>
      {isOpen && (
        <ul className={`${ui.list} ${styles.menu}`}>
          {actions.map(({ text, look, act }) => (
            <li key={text}>
              <Button
                look="quiet"
                className={look === 'danger' ? ui.danger : undefined}
                onClick={() => {
                  close();
                  // A dialog that the action opens later returns the focus to the button.
                  dismiss.ref.current?.querySelector('button')?.focus();
                  act();
                }}
              >
                {text}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
