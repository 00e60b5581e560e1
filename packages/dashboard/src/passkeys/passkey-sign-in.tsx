import { useMutation } from '@tanstack/react-query';
import { ignoreOwnVisitsByDefault } from 'early-access-kit/tracker';
import { KeyRound } from 'lucide-react';
import { useApi } from '../api/admin-api.ts';
import { announceSignIn } from '../api/sign-in-gate.ts';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';

/** A button that signs in with a passkey of this device. */
export function PasskeySignIn() {
  const api = useApi();
  const signIn = useMutation({
    // Only who presses it loads what talks to the browser about passkeys.
    mutationFn: async () => (await import('./browser-passkeys.ts')).signInWithPasskey(api),
    onSuccess() {
      ignoreOwnVisitsByDefault();
      // This page hears it, too.
      announceSignIn();
    },
  });
  if (!('PublicKeyCredential' in globalThis)) return null;
  return (
    <>
      <Button busy={signIn.isPending} onClick={() => signIn.mutate()}>
        <KeyRound aria-hidden />
        Sign in with a passkey
      </Button>
      <p role="alert" className={`${ui.text} ${ui.problem}`}>
        {signIn.error?.message}
      </p>
    </>
  );
}
