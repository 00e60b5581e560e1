import type { ComponentProps } from 'react';
import styles from './ui.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet';
  /** For a button with an icon alone, which needs an `aria-label`. */
  readonly icon?: boolean;
  /** In progress. The button keeps the focus and cannot be pressed again. */
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
