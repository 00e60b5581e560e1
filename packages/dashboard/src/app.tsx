import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { SessionResponse } from 'early-access-server/admin-api';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type AdminApi, ApiError, ApiProvider, adminApi } from './api/admin-api.ts';
import { onSignInElsewhere, type SignInGate, signInGate } from './api/sign-in-gate.ts';
import { useBrand } from './brand.ts';
import { useOverviewKey } from './overview/overview-key.ts';
import { Shell } from './shell/shell.tsx';
import { NotLoadedPage } from './sign-in/sheet.tsx';
import { useSignInToken } from './sign-in/sign-in-token.ts';
import { Toasts } from './ui/toasts.tsx';
import { useKeptFocus } from './ui/use-kept-focus.ts';
import './ui/tokens.css';

const SignedOutDialog = lazy(async () => ({
  default: (await import('./sign-in/signed-out-dialog.tsx')).SignedOutDialog,
}));

/** Lazy, because a signed-in admin needs neither. */
const SignInPage = lazy(async () => ({ default: (await import('./sign-in/sign-in-page.tsx')).SignInPage }));
const FollowLink = lazy(async () => ({ default: (await import('./sign-in/follow-link.tsx')).FollowLink }));
const SharedOverview = lazy(async () => ({
  default: (await import('./overview/shared-overview.tsx')).SharedOverview,
}));

interface AppProps {
  /** Sends requests to the server. */
  readonly fetch: typeof globalThis.fetch;
  /** Returns the URL of a page that a frame shows. Default: the server's own. */
  readonly frameUrl?: (path: string) => string;
}

export function App({ fetch, frameUrl }: AppProps) {
  const [gate] = useState(signInGate);
  const [client] = useState(newQueryClient);
  const api = useMemo(() => adminApi(fetch, gate, frameUrl), [fetch, gate, frameUrl]);
  const overviewKey = useOverviewKey();
  useKeptFocus();
  return (
    <QueryClientProvider client={client}>
      <ApiProvider value={api}>
        <Toasts>
          {overviewKey === null ? (
            <SignedInOrNot api={api} gate={gate} />
          ) : (
            <Suspense>
              <SharedOverview fetch={fetch} overviewKey={overviewKey} />
            </Suspense>
          )}
        </Toasts>
      </ApiProvider>
    </QueryClientProvider>
  );
}

function newQueryClient(): QueryClient {
  const onError = (error: Error) => {
    // Another admin has changed this admin's role, so fewer pages are shown now.
    if (error instanceof ApiError && error.kind === 'forbidden')
      void client.invalidateQueries({ queryKey: ['session'] });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // TanStack Query's "offline" means no internet, but the server may run on this machine.
      queries: { networkMode: 'always', staleTime: 30_000, retry: false },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

function SignedInOrNot({ api, gate }: { readonly api: AdminApi; readonly gate: SignInGate }) {
  const client = useQueryClient();
  const [token, forgetToken] = useSignInToken();
  const brand = useBrand(api);
  const session = useQuery({
    queryKey: ['session'],
    queryFn: () => api.direct.get<SessionResponse>('/session'),
    // Never refetched in the background: when the session ends, the page stays in place behind the sign-in dialog.
    staleTime: Number.POSITIVE_INFINITY,
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
    return (
      <Suspense>
        <FollowLink brand={brand.name} token={token} isSignedIn={Boolean(session.data)} forgetToken={forgetToken} />
      </Suspense>
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
    return (
      <Suspense>
        <SignInPage brand={brand.name} />
      </Suspense>
    );
  return <NotLoadedPage brand={brand.name} problem={session.error.message} onRetry={() => void session.refetch()} />;
}
