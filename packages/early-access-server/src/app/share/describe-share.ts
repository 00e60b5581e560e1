import type { SharedLink } from 'early-access-kit/core';
import type { Line } from '../brand/dots.ts';
import type { OwnLink } from '../ports/share-store.ts';
import { shareUrl } from './share-link.ts';

/** How a host shares. */
export interface ShareOptions {
  /** Whether people see their place in line. */
  readonly showPlaces: boolean;
}

/** A link as its owner sees it. */
export interface Share {
  readonly url: string;
  /** How many people they brought who count. */
  readonly confirmed: number;
  /** Left out unless the host shows places and the person is in line. */
  readonly place?: number | undefined;
}

/** A link with texts and the place in line as a picture, for the pages of its owner. */
export interface PageShare extends SharedLink {
  /** Left out with `place`. `scale` says how many people a dot is; empty: one. */
  readonly line?: Omit<Line, 'people'> & { readonly scale: string };
}

interface Site {
  /** Where links lead if the page is not known, or is not the host's. */
  readonly homeUrl: string;
  readonly isOwnOrigin: (origin: string) => boolean;
}

/**
 * `place`: null if it is not shown. The page of a signup is what a browser has sent, maybe a stranger's, so it is only
 * used if its origin is the host's.
 */
export function describeShare({ code, page, confirmed }: OwnLink, place: number | null, site: Site): Share {
  const origin = page && URL.parse(page)?.origin;
  const own = page && origin && site.isOwnOrigin(origin) ? page : site.homeUrl;
  return { url: shareUrl(own, code), confirmed, ...(place !== null && { place }) };
}
