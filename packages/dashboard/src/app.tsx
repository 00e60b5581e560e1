import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { ignoreOwnVisitsByDefault } from 'early-access-kit/tracker';
import type { SessionResponse } from 'early-access-server/admin-api';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type AdminApi, ApiError, ApiProvider, adminApi } from './api/admin-api.ts';
import { announceSignIn, onSignInElsewhere, type SignInGate, signInGate } from './api/sign-in-gate.ts';
import { useBrand } from './brand.ts';
import { Shell } from './shell/shell.tsx';
import { FollowLinkPage, LinkFailedPage, NotLoadedPage, SignInPage, SigningInPage } from './sign-in/sign-in-page.tsx';
import { hasAskedForLink, useSignInToken } from './sign-in/sign-in-token.ts';
import { Toasts } from './ui/toasts.tsx';
import './ui/tokens.css';

const SignedOutDialog = lazy(async () => ({
  default: (await import('./sign-in/signed-out-dialog.tsx')).SignedOutDialog,
}));

interface AppProps {
  /** How it reaches the server. */
  readonly fetch: typeof globalThis.fetch;
  /** Where the pages are that its frames show; the server's unless given. */
  readonly frameUrl?: (path: string) => string;
}

/** The dashboard. */
export function App({ fetch, frameUrl }: AppProps) {
  const [gate] = useState(signInGate);
  const [client] = useState(newQueryClient);
  const api = useMemo(() => adminApi(fetch, gate, frameUrl), [fetch, gate, frameUrl]);
  return (
    <QueryClientProvider client={client}>
      <ApiProvider value={api}>
        <Toasts>
          <SignedInOrNot api={api} gate={gate} />
        </Toasts>
      </ApiProvider>
    </QueryClientProvider>
  );
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // "Offline" is about the internet; the server may be this machine.
      queries: { networkMode: 'always', staleTime: 30_000, retry: false },
      mutations: { networkMode: 'always' },
    },
  });
}

function SignedInOrNot({ api, gate }: { readonly api: AdminApi; readonly gate: SignInGate }) {
  const client = useQueryClient();
  const [token, forgetToken] = useSignInToken();
  const brand = useBrand(api);
  const session = useQuery({
    queryKey: ['session'],
    queryFn: () => api.direct.get<SessionResponse>('/session'),
    // While the session has ended, the page waits behind the dialog.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [pressedFor, setPressedFor] = useState<string | null>(null);
  const mayFollow = token !== null && (pressedFor === token || hasAskedForLink());
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
  const check = useCallback(async () => {
    const signedIn = await client.fetchQuery({
      queryKey: ['session'],
      queryFn: () => api.direct.get<SessionResponse>('/session'),
      staleTime: 0,
    });
    if (signedIn) gate.open();
  }, [api, client, gate]);
  const isSignedOut = useSyncExternalStore(gate.subscribe, gate.isClosed);
  useEffect(() => onSignInElsewhere(() => void check().catch(() => {})), [check]);

  if (!brand) return null;
  if (token !== null) {
    if (!mayFollow) return <FollowLinkPage brand={brand.name} onFollow={() => setPressedFor(token)} />;
    if (!link.error) return <SigningInPage brand={brand.name} />;
    const isUsed = link.error instanceof ApiError && link.error.kind !== 'unreachable' && link.error.kind !== 'server';
    return (
      <LinkFailedPage
        brand={brand.name}
        problem={isUsed ? null : link.error.message}
        onRetry={() => void link.refetch()}
        onContinue={session.data ? forgetToken : null}
      />
    );
  }
  if (session.data) {
    return (
      <>
        <Shell brand={brand.name} session={session.data} />
        {isSignedOut && (
          <Suspense>
            <SignedOutDialog email={session.data.email} onCheck={() => void check().catch(() => {})} />
          </Suspense>
        )}
      </>
    );
  }
  if (session.isPending) return null;
  if (session.error instanceof ApiError && session.error.kind === 'signed-out')
    return <SignInPage brand={brand.name} />;
  return <NotLoadedPage brand={brand.name} problem={session.error.message} onRetry={() => void session.refetch()} />;
}
