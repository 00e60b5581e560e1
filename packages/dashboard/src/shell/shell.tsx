import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SessionResponse } from 'early-access-server/admin-api';
import {
  ChartNoAxesColumn,
  HeartPulse,
  LogOut,
  type LucideIcon,
  Mail,
  Send,
  Settings,
  Ticket,
  Users,
  Webhook,
} from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useApi } from '../api/admin-api.ts';
import { browserZone, usableZone } from '../format/format.ts';
import { OverviewPage } from '../overview/overview-page.tsx';
import { Brand } from '../sign-in/sign-in-page.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Loading } from '../ui/states.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { PAGES, type PageName, pageHref, readPage } from './pages.ts';
import styles from './shell.module.css';

const NAMES: Readonly<Record<PageName, readonly [name: string, icon: LucideIcon]>> = {
  overview: ['Overview', ChartNoAxesColumn],
  people: ['People', Users],
  invites: ['Invites', Ticket],
  campaigns: ['Campaigns', Send],
  mail: ['Mail', Mail],
  webhooks: ['Webhooks', Webhook],
  health: ['Health', HeartPulse],
  settings: ['Settings', Settings],
};

const LOAD = {
  people: async () => ({ default: (await import('../people/people-page.tsx')).PeoplePage }),
  invites: async () => ({ default: (await import('../invites/invites-page.tsx')).InvitesPage }),
  campaigns: async () => ({ default: (await import('../campaigns/campaigns-page.tsx')).CampaignsPage }),
  mail: async () => ({ default: (await import('../mail/mail-page.tsx')).MailPage }),
  webhooks: async () => ({ default: (await import('../webhooks/webhooks-page.tsx')).WebhooksPage }),
  health: async () => ({ default: (await import('../health/health-page.tsx')).HealthPage }),
  settings: async () => ({ default: (await import('../settings/settings-page.tsx')).SettingsPage }),
};

const CONTENT = {
  // Where an admin begins, so it comes with the dashboard's own script.
  overview: OverviewPage,
  people: lazy(LOAD.people),
  invites: lazy(LOAD.invites),
  campaigns: lazy(LOAD.campaigns),
  mail: lazy(LOAD.mail),
  webhooks: lazy(LOAD.webhooks),
  health: lazy(LOAD.health),
  settings: lazy(LOAD.settings),
};

/** Loads the script of a page while the server is asked whether the admin is signed in. */
export function preloadPage(page: PageName): void {
  // If it fails, it is loaded again when the page is shown.
  if (page !== 'overview') LOAD[page]().catch(() => {});
}

/** Header, navigation and the page that the URL names. */
export function Shell({ brand, session }: { readonly brand: string; readonly session: SessionResponse }) {
  const [params] = useSearchParams();
  const page = readPage(params);
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  const shown = useRef(page);
  const zone = usableZone(session.settings.time_zone ?? browserZone());
  const Page = CONTENT[page];

  useEffect(() => {
    document.title = `${NAMES[page][0]} · ${brand}`;
    // On a narrow screen the names of the pages scroll.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (shown.current === page) return;
    shown.current = page;
    scrollTo({ top: 0 });
    main.current?.focus({ preventScroll: true });
  }, [page, brand]);

  return (
    <div className={`${ui.root} ${styles.root}`}>
      <a className={`${ui.button} ${styles.skip}`} href="#main">
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <div className={styles.brand}>
            <Brand name={brand} />
          </div>
          <nav ref={nav} className={styles.nav} aria-label="Pages">
            <ul>
              {PAGES.map((name) => {
                const [text, Icon] = NAMES[name];
                return (
                  <li key={name}>
                    <Link to={pageHref(name)} aria-current={name === page ? 'page' : undefined}>
                      <Icon aria-hidden />
                      {text}
                    </Link>
                  </li>
                );
              })}
            </ul>
          </nav>
          <SignOut />
        </div>
      </header>
      <main ref={main} id="main" className={styles.main} tabIndex={-1} aria-label={NAMES[page][0]}>
        <ErrorBoundary key={page}>
          <Suspense fallback={<Loading bones={[3, 8, 20]} />}>
            <Page session={session} zone={zone} />
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function SignOut() {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const signOut = useMutation({
    mutationFn: () => api.direct.post('/sign-out'),
    onSuccess: () => {
      // Removes the list from memory.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'brand' && queryKey[0] !== 'session' });
      return client.resetQueries({ queryKey: ['session'] });
    },
    onError: notify.failed,
  });
  return (
    <Button look="quiet" busy={signOut.isPending} onClick={() => signOut.mutate()}>
      <LogOut aria-hidden />
      Sign out
    </Button>
  );
}
