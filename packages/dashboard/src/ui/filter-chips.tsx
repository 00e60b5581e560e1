import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { upperFirst } from '../format/format.ts';
import styles from './filter-chips.module.css';
import ui from './ui.module.css';

interface FilterChipsProps<Key extends string> {
  readonly filters: readonly { readonly key: Key; readonly text: string }[];
  readonly onRemove: (key: Key) => void;
  /** A list item after the filters. */
  readonly children?: ReactNode;
}

/** The active filters, each with a button to remove it. Renders nothing if there are none. */
export function FilterChips<Key extends string>({ filters, onRemove, children }: FilterChipsProps<Key>) {
  if (filters.length === 0) return null;
  return (
    <ul className={`${ui.list} ${ui.row}`} aria-label="Filters">
      {filters.map(({ key, text }) => (
        <li key={key} className={styles.chip}>
          <span>{upperFirst(text)}</span>
          <button type="button" aria-label={`Remove: ${text}`} onClick={() => onRemove(key)}>
            <X aria-hidden />
          </button>
        </li>
      ))}
      {children}
    </ul>
  );
}
