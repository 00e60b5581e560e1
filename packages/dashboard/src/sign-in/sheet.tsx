import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './sign-in.module.css';

interface SheetProps {
  readonly brand: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A page for a single task, shown before the admin has signed in. */
export function Sheet({ brand, title, children }: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The title gives the result of a link or session, so screen readers should start there. Before any key is pressed.
  useLayoutEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title, brand]);
  return (
    <main className={`${ui.root} ${styles.page}`}>
      <div className={styles.sheet}>
        <Brand name={brand} />
        <div>
          <h1 ref={heading} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
          {children}
        </div>
      </div>
    </main>
  );
}

export function Brand({ name }: { readonly name: string }) {
  return (
    <p className={styles.brand}>
      <span className={styles.monogram} aria-hidden>
        {[...name][0]?.toUpperCase()}
      </span>
      <bdi>{name}</bdi>
    </p>
  );
}

interface NotLoadedProps {
  readonly brand: string;
  readonly problem: string;
  readonly onRetry: () => void;
}

export function NotLoadedPage({ brand, problem, onRetry }: NotLoadedProps) {
  return (
    <Sheet brand={brand} title="The dashboard could not be loaded">
      <div className={ui.stack}>
        <p role="alert" className={`${ui.text} ${ui.muted}`}>
          {problem}
        </p>
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </Sheet>
  );
}
