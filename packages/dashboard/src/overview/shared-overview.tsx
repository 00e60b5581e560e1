import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'wouter';
import { ApiProvider, adminApi } from '../api/admin-api.ts';
import { signInGate } from '../api/sign-in-gate.ts';
import { useBrand } from '../brand.ts';
import { browserZone } from '../format/format.ts';
import shell from '../shell/shell.module.css';
import { Brand, Sheet } from '../sign-in/sheet.tsx';
import ui from '../ui/ui.module.css';
import { overviewFragment } from './overview-key.ts';
import { OverviewPage } from './overview-page.tsx';

interface SharedOverviewProps {
  readonly fetch: typeof globalThis.fetch;
  readonly overviewKey: string;
}

/** The overview for someone who has a link to it and is not signed in. */
export function SharedOverview({ fetch, overviewKey }: SharedOverviewProps) {
  const [gate] = useState(signInGate);
  const api = useMemo(() => adminApi(withKey(fetch, overviewKey), gate), [fetch, overviewKey, gate]);
  const brand = useBrand(api);
  const isRevoked = useSyncExternalStore(gate.subscribe, gate.isClosed);
  useKeptFragment(overviewFragment(overviewKey));
  useEffect(() => {
    if (brand) document.title = `Overview · ${brand.name}`;
  }, [brand]);
  if (!brand) return null;
  if (isRevoked) {
    return (
      <Sheet brand={brand.name} title="This link no longer works">
        <p className={`${ui.text} ${ui.muted}`}>It was revoked. Ask the person who sent it to you for a new one.</p>
      </Sheet>
    );
  }
  return (
    <ApiProvider value={api}>
      <div className={`${ui.root} ${shell.root}`}>
        <header className={shell.header}>
          <div className={shell.bar}>
            <div className={shell.brand}>
              <Brand name={brand.name} />
            </div>
          </div>
        </header>
        <main className={shell.main} aria-label="Overview">
          <OverviewPage zone={browserZone()} />
        </main>
      </div>
    </ApiProvider>
  );
}

/** Sends the key in a header, because URLs are logged. */
function withKey(fetch: typeof globalThis.fetch, key: string): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
}

/** A filter changes the query, which would remove the fragment with the key. A reload or bookmark needs it. */
function useKeptFragment(fragment: string): void {
  const [params] = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the query removes it
  useEffect(() => {
    if (location.hash !== fragment)
      history.replaceState(history.state, '', location.pathname + location.search + fragment);
  }, [fragment, params]);
}
