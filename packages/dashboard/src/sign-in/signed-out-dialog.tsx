import { useEffect } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import ui from '../ui/ui.module.css';
import { SignInForm } from './sign-in-form.tsx';

interface SignedOutDialogProps {
  readonly email: string;
  /** Asks the server whether another tab has signed in. */
  readonly onCheck: () => void;
}

/** Over the page when the session has ended. What was typed stays, and what was asked for goes on after signing in again. */
export function SignedOutDialog({ email, onCheck }: SignedOutDialogProps) {
  useEffect(() => {
    addEventListener('focus', onCheck);
    return () => removeEventListener('focus', onCheck);
  }, [onCheck]);
  return (
    <Dialog title="You have been signed out" open>
      <p className={ui.text}>
        Ask for a new link and open it in this browser. This page then goes on where it was: nothing you typed is lost.
      </p>
      <SignInForm email={email} />
    </Dialog>
  );
}
