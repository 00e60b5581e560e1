import { type ReactNode, useEffect, useRef, useState } from 'react';
import ui from './ui.module.css';

interface ScrollRegionProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A scrollable part of the page, also by keyboard. A shadow at its end shows that there is more below. */
export function ScrollRegion({ label, className = '', children }: ScrollRegionProps) {
  const end = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => setMore(entry?.isIntersecting === false), {
      root: end.current.parentElement,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      className={`${ui.scroll} ${className}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      data-more={hasMore || undefined}
    >
      {children}
      <div ref={end} className={ui.end} aria-hidden />
    </section>
  );
}
