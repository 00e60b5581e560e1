import type { ReactNode } from 'react';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';

export function SettingList({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

interface SettingItemProps {
  readonly name: ReactNode;
  /** What is known about it, a line each. */
  readonly hints: readonly string[];
  /** More than buttons, which get a line of their own on a phone. */
  readonly isWide?: boolean;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** One of several things that exist, such as a session or a key. */
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
