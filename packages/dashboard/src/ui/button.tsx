import type { ComponentProps } from 'react';
import styles from './ui.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet';
  /** The button has only an icon, so it needs an `aria-label`. */
  readonly icon?: boolean;
  /** The action is in progress. The button keeps the focus and cannot be pressed again. */
  readonly busy?: boolean;
}

export function Button({ look, icon, busy = false, className, onClick, ...props }: ButtonProps) {
  const looks = [styles.button, look && styles[look], icon && styles.icon, className];
  return (
    <button
      type="button"
      className={looks.filter(Boolean).join(' ')}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...props}
    />
  );
}
