import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './sign-in.module.css';

interface SheetProps {
  readonly brand: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A page with one thing to do, before the admin has signed in. */
export function Sheet({ brand, title, children }: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The title says what became of a link or a session, so a screen reader starts there, before anybody can press a key.
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
