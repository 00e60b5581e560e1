import type { ReactNode } from 'react';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';

export function SettingList({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

interface SettingItemProps {
  readonly name: ReactNode;
  /** Details, one per line. */
  readonly hints: readonly string[];
  /** `children` are more than buttons and get a line of their own on a phone. */
  readonly isWide?: boolean;
  /** Controls of the item. */
  readonly children?: ReactNode;
}

/** An item of a list in the settings, such as a session or a key. */
export function SettingItem({ name, hints, isWide = false, children }: SettingItemProps) {
  return (
    <li className={`${styles.setting} ${isWide ? styles.wide : ''}`}>
      <div className={styles.text}>
        <span>{name}</span>
        {hints.map((hint) => (
          <span key={hint} className={ui.hint}>
            {hint}
          </span>
        ))}
      </div>
      {children && <div className={`${ui.row} ${styles.itemActions}`}>{children}</div>}
    </li>
  );
}
