import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SessionResponse } from 'early-access-server/admin-api';
import { Ellipsis, LogOut } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useApi } from '../api/admin-api.ts';
import { browserZone, usableZone } from '../format/format.ts';
import { OverviewPage } from '../overview/overview-page.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { Brand } from '../sign-in/sheet.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Loading } from '../ui/states.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { useDismiss } from '../ui/use-dismiss.ts';
import { PAGE_NAMES } from './page-names.ts';
import { maySeePage, PAGES, type PageName, pageHref, pageInNavigation, readPage } from './pages.ts';
import { RoleProvider } from './role.ts';
import styles from './shell.module.css';

/** The number of pages that fit into the navigation of a narrow screen. */
const FIRST_PAGES = 4;

const LOAD = {
  people: async () => ({ default: (await import('../people/people-page.tsx')).PeoplePage }),
  import: async () => ({ default: (await import('../import/import-page.tsx')).ImportPage }),
  invites: async () => ({ default: (await import('../invites/invites-page.tsx')).InvitesPage }),
  campaigns: async () => ({ default: (await import('../campaigns/campaigns-page.tsx')).CampaignsPage }),
  mail: async () => ({ default: (await import('../mail/mail-page.tsx')).MailPage }),
  webhooks: async () => ({ default: (await import('../webhooks/webhooks-page.tsx')).WebhooksPage }),
  health: async () => ({ default: (await import('../health/health-page.tsx')).HealthPage }),
  settings: async () => ({ default: (await import('../settings/settings-page.tsx')).SettingsPage }),
};

const CONTENT = {
  // The start page, so it is part of the main script.
  overview: OverviewPage,
  people: lazy(LOAD.people),
  import: lazy(LOAD.import),
  invites: lazy(LOAD.invites),
  campaigns: lazy(LOAD.campaigns),
  mail: lazy(LOAD.mail),
  webhooks: lazy(LOAD.webhooks),
  health: lazy(LOAD.health),
  settings: lazy(LOAD.settings),
};

/** Loads a page's script while the server checks whether the admin is signed in. */
export function preloadPage(page: PageName): void {
  // If this fails, the script is requested again when the page is shown.
  if (page !== 'overview') LOAD[page]().catch(() => {});
}

/** Header, navigation and the current page. */
export function Shell({ brand, session }: { readonly brand: string; readonly session: SessionResponse }) {
  const [params] = useSearchParams();
  const asked = readPage(params);
  const page = maySeePage(session.role, asked) ? asked : 'overview';
  const pages = PAGES.filter((name) => maySeePage(session.role, name));
  const main = useRef<HTMLElement>(null);
  const shown = useRef(page);
  const zone = usableZone(session.settings.time_zone ?? browserZone());
  const Page = CONTENT[page];

  useEffect(() => {
    document.title = `${PAGE_NAMES[page][0]} · ${brand}`;
    if (shown.current === page) return;
    shown.current = page;
    scrollTo({ top: 0 });
    main.current?.focus({ preventScroll: true });
  }, [page, brand]);

  return (
    <RoleProvider value={session.role}>
      <div className={`${ui.root} ${styles.root}`}>
        <a className={`${ui.button} ${styles.skip}`} href="#main">
          Skip to content
        </a>
        <header className={styles.header}>
          <div className={styles.bar}>
            <div className={styles.brand}>
              <Brand name={brand} />
            </div>
            <nav className={styles.nav} aria-label="Pages">
              <ul>
                {pages.map((name, index) => (
                  <li key={name} className={index < FIRST_PAGES ? undefined : styles.wide}>
                    <PageLink name={name} page={page} />
                  </li>
                ))}
                {pages.length > FIRST_PAGES && <More key={page} page={page} pages={pages.slice(FIRST_PAGES)} />}
              </ul>
            </nav>
            <PaletteButton session={session} zone={zone} />
            <SignOut />
          </div>
        </header>
        <main ref={main} id="main" className={styles.main} tabIndex={-1} aria-label={PAGE_NAMES[page][0]}>
          <ErrorBoundary key={page}>
            <Suspense fallback={<Loading bones={[3, 8, 20]} />}>
              <Page session={session} zone={zone} />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </RoleProvider>
  );
}

interface PageLinkProps {
  readonly name: PageName;
  readonly page: PageName;
}

function PageLink({ name, page }: PageLinkProps) {
  const [text, Icon] = PAGE_NAMES[name];
  return (
    <Link to={pageHref(name)} aria-current={name === page ? 'page' : name === pageInNavigation(page) || undefined}>
      <Icon aria-hidden />
      {text}
    </Link>
  );
}

/** The pages that do not fit into the navigation of a narrow screen. */
function More({ page, pages }: Pick<PageLinkProps, 'page'> & { readonly pages: readonly PageName[] }) {
  const [isOpen, setOpen] = useState(false);
  const dismiss = useDismiss<HTMLLIElement>(
    isOpen,
    useCallback(() => setOpen(false), []),
  );
  return (
    <li className={styles.more} {...dismiss}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-current={pages.includes(pageInNavigation(page)) || undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis aria-hidden />
        More
      </button>
      {isOpen && (
        <ul>
          {pages.map((name) => (
            <li key={name}>
              <PageLink name={name} page={page} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function SignOut() {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const signOut = useMutation({
    mutationFn: () => api.direct.post('/sign-out'),
    onSuccess: () => {
      // Removes people's data from memory.
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
