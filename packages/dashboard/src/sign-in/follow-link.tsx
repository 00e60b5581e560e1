import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ignoreOwnVisitsByDefault } from 'early-access-kit/tracker';
import { useState } from 'react';
import { ApiError, useApi } from '../api/admin-api.ts';
import { announceSignIn } from '../api/sign-in-gate.ts';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import { Sheet } from './sheet.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { hasAskedForLink } from './sign-in-token.ts';

interface FollowedLinkProps {
  readonly brand: string;
  readonly token: string;
  readonly isSignedIn: boolean;
  readonly forgetToken: () => void;
}

/** Signs in with a link's token: immediately in the browser that requested it, after a click in any other. */
export function FollowLink({ brand, token, isSignedIn, forgetToken }: FollowedLinkProps) {
  const api = useApi();
  const client = useQueryClient();
  const [pressedFor, setPressedFor] = useState<string | null>(null);
  const mayFollow = pressedFor === token || hasAskedForLink();
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: async () => {
      await api.direct.post('/session', { token });
      ignoreOwnVisitsByDefault();
      announceSignIn();
      forgetToken();
      await client.resetQueries({ queryKey: ['session'] });
      return null;
    },
    enabled: mayFollow,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (!mayFollow) return <FollowLinkPage brand={brand} onFollow={() => setPressedFor(token)} />;
  if (!link.error) return <SigningInPage brand={brand} />;
  const isUsed = link.error instanceof ApiError && link.error.kind !== 'unreachable' && link.error.kind !== 'server';
  return (
    <LinkFailedPage
      brand={brand}
      problem={isUsed ? null : link.error.message}
      onRetry={() => void link.refetch()}
      onContinue={isSignedIn ? forgetToken : null}
    />
  );
}

interface FollowLinkProps {
  readonly brand: string;
  readonly onFollow: () => void;
}

/** Requires a real click: mail scanners run scripts and press buttons by script. */
function FollowLinkPage({ brand, onFollow }: FollowLinkProps) {
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

function SigningInPage({ brand }: { readonly brand: string }) {
  return (
    <Sheet brand={brand} title="Signing you in…">
      <p className={`${ui.text} ${ui.muted}`} role="status">
        This takes a moment.
      </p>
    </Sheet>
  );
}

interface LinkFailedProps {
  readonly brand: string;
  /** Null: the link was used or has expired. Otherwise why it could not be checked. */
  readonly problem: string | null;
  readonly onRetry: () => void;
  /** Set if this browser is already signed in. */
  readonly onContinue: (() => void) | null;
}

function LinkFailedPage({ brand, problem, onRetry, onContinue }: LinkFailedProps) {
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
