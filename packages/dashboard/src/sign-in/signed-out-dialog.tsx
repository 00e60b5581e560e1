import { useEffect } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import ui from '../ui/ui.module.css';
import { SignInForm } from './sign-in-form.tsx';

interface SignedOutDialogProps {
  readonly email: string;
  /** Checks whether another tab has signed in. */
  readonly onCheck: () => void;
}

/** Covers the page when the session has ended. Typed text is kept, and waiting requests continue after signing in. */
export function SignedOutDialog({ email, onCheck }: SignedOutDialogProps) {
  useEffect(() => {
    addEventListener('focus', onCheck);
    return () => removeEventListener('focus', onCheck);
  }, [onCheck]);
  return (
    <Dialog title="You have been signed out" open>
      <p className={ui.text}>
        Ask for a new link and open it in this browser. You can then continue where you left off: nothing you typed is
        lost.
      </p>
      <SignInForm email={email} />
    </Dialog>
  );
}
