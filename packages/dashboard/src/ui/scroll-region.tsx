import type { ReactNode } from 'react';
import ui from './ui.module.css';

interface ScrollRegionProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of the page that scrolls by itself, also with the keyboard. */
export function ScrollRegion({ label, className = '', children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={`${ui.scroll} ${className}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
