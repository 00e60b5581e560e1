import { useMutation } from '@tanstack/react-query';
import { ignoreOwnVisitsByDefault } from 'early-access-kit/tracker';
import { KeyRound } from 'lucide-react';
import { useApi } from '../api/admin-api.ts';
import { announceSignIn } from '../api/sign-in-gate.ts';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';

export function PasskeySignIn() {
  const api = useApi();
  const signIn = useMutation({
    // Loaded when pressed, because most admins sign in without a passkey.
    mutationFn: async () => (await import('./browser-passkeys.ts')).signInWithPasskey(api),
    onSuccess() {
      ignoreOwnVisitsByDefault();
      // This tab receives it, too.
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
