import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';

interface SheetProps {
  readonly brand: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A page with one thing to do, before the admin has signed in. */
function Sheet({ brand, title, children }: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The title says what became of a link or a session, so a screen reader starts there.
  useEffect(() => heading.current?.focus(), []);
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

export function SignInPage({ brand }: { readonly brand: string }) {
  return (
    <Sheet brand={brand} title="Sign in to the dashboard">
      <div className={ui.stack}>
        <p className={`${ui.text} ${ui.muted}`}>There is no password. You get a link by email that signs you in.</p>
        <SignInForm />
      </div>
    </Sheet>
  );
}

interface FollowLinkProps {
  readonly brand: string;
  readonly onFollow: () => void;
}

/** Mail scanners run scripts and press buttons by script, so only a press of a person signs in. */
export function FollowLinkPage({ brand, onFollow }: FollowLinkProps) {
  const [isScript, setScript] = useState(false);
  return (
    <Sheet brand={brand} title="Sign in to the dashboard">
      <div className={ui.stack}>
        <p className={`${ui.text} ${ui.muted}`}>
          This link was not requested in this browser, so press the button to use it. It works once.
        </p>
        <Button
          look="primary"
          onClick={({ nativeEvent: { isTrusted } }) => {
            setScript(!isTrusted);
            if (isTrusted) onFollow();
          }}
        >
          Sign in
        </Button>
        <p role="alert" className={`${ui.text} ${ui.problem}`}>
          {isScript && 'Please press the button yourself: a browser extension pressed it.'}
        </p>
      </div>
    </Sheet>
  );
}

export function SigningInPage({ brand }: { readonly brand: string }) {
  return (
    <Sheet brand={brand} title="Signing you in…">
      <p className={`${ui.text} ${ui.muted}`} role="status">
        This takes a moment.
      </p>
    </Sheet>
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

interface LinkFailedProps {
  readonly brand: string;
  /** Null: the link was used before or has expired. Otherwise why it could not be tried. */
  readonly problem: string | null;
  readonly onRetry: () => void;
  /** Given if this browser is signed in anyway. */
  readonly onContinue: (() => void) | null;
}

export function LinkFailedPage({ brand, problem, onRetry, onContinue }: LinkFailedProps) {
  return (
    <Sheet brand={brand} title={problem === null ? 'This link no longer works' : 'You are not signed in yet'}>
      <div className={ui.stack}>
        <p className={`${ui.text} ${ui.muted}`}>
          {problem ?? 'A sign-in link works once, for 15 minutes. Ask for a new one below.'}
        </p>
        {problem !== null && (
          <Button look="primary" onClick={onRetry}>
            Try the link again
          </Button>
        )}
        {onContinue && (
          <>
            <p className={ui.text}>This browser is signed in already.</p>
            <Button look="primary" onClick={onContinue}>
              Open the dashboard
            </Button>
          </>
        )}
        {problem === null && !onContinue && <SignInForm />}
      </div>
    </Sheet>
  );
}
