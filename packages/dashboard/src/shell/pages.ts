import { mayDo, type Need, type Role, type SessionResponse } from 'early-access-server/admin-api';
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export const PAGES = ['overview', 'people', 'invites', 'campaigns', 'mail', 'webhooks', 'health', 'settings'] as const;
/** Pages that are not in the navigation, with the navigation entry that they belong to. */
const PARTS = { import: 'people' } as const;
type Part = keyof typeof PARTS;
export type PageName = (typeof PAGES)[number] | Part;

/** The needs of which a role must include one. An empty list: admins only. */
const PAGE_NEEDS: Readonly<Record<PageName, readonly Need[]>> = {
  overview: ['analytics'],
  people: ['people'],
  import: [],
  invites: [],
  campaigns: ['campaigns:draft'],
  mail: [],
  webhooks: [],
  health: [],
  settings: ['account'],
};

export function maySeePage(role: Role, page: PageName): boolean {
  return mayDo(role, PAGE_NEEDS[page]);
}

const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

function findPage(name: string | null | undefined): PageName | undefined {
  return PAGES.find((page) => page === name) ?? (name && isPart(name) ? name : undefined);
}

/** Returns the page in the navigation that is or contains this one. */
export function pageInNavigation(page: PageName): (typeof PAGES)[number] {
  return isPart(page) ? PARTS[page] : page;
}

export interface PageProps {
  readonly session: SessionResponse;
  /** The IANA name of the time zone in which days begin. */
  readonly zone: string;
}

/**
 * Returns the URL of the page for a path such as `/admin/people`; null for any other path. Pages are in the query, so
 * that every host can serve the dashboard as one static file, but people type and share such paths.
 */
export function resolvePagePath({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | null {
  const [, base, name] = /^(.*\/admin)\/([a-z]+)\/?$/.exec(pathname) ?? [];
  const page = findPage(name);
  if (page === undefined) return null;
  const params = new URLSearchParams(search);
  if (page !== 'overview') params.set('page', page);
  return `${base}?${params}${hash}`;
}

export function readPage(params: URLSearchParams): PageName {
  return findPage(params.get('page')) ?? 'overview';
}

export function pageHref(page: PageName): string {
  return page === 'overview' ? '?' : `?page=${page}`;
}

/** Changes a page's state. `replace`: without a new history entry. */
export type ChangeState<T> = (update: (state: T) => T, options?: { readonly replace: boolean }) => void;

/** The state of a page from the URL, and a stable function that changes it. */
export function usePageState<T>(
  page: PageName,
  read: (params: URLSearchParams) => T,
  write: (state: T) => URLSearchParams,
): readonly [T, ChangeState<T>] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<ChangeState<T>>(
    (update, options) =>
      setParams((current) => {
        const query = write(update(read(current)));
        if (page !== 'overview') query.set('page', page);
        return query;
      }, options),
    [page, read, write, setParams],
  );
  return [read(params), change];
}
