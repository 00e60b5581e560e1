import type { SessionResponse } from 'early-access-server/admin-api';
import { useSearchParams } from 'wouter';

export const PAGES = ['overview', 'people', 'mail', 'health', 'settings'] as const;
export type PageName = (typeof PAGES)[number];

export interface PageProps {
  readonly session: SessionResponse;
  /** The IANA name of the time zone in which days begin. */
  readonly zone: string;
}

/** The page is in the query, so that every host can serve the dashboard as one static file. */
export function readPage(params: URLSearchParams): PageName {
  return PAGES.find((page) => page === params.get('page')) ?? 'overview';
}

export function pageHref(page: PageName): string {
  return page === 'overview' ? '?' : `?page=${page}`;
}

/** The state of a page in the URL, and a function that changes it. `replace`: without a new entry in the history. */
export function usePageState<T>(
  page: PageName,
  read: (params: URLSearchParams) => T,
  write: (state: T) => URLSearchParams,
): readonly [T, (next: T, options?: { readonly replace: boolean }) => void] {
  const [params, setParams] = useSearchParams();
  const change = (next: T, options?: { readonly replace: boolean }) => {
    const query = write(next);
    if (page !== 'overview') query.set('page', page);
    setParams(query, options);
  };
  return [read(params), change];
}
