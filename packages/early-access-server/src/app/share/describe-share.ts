import type { SharedLink } from 'early-access-kit/core';
import type { Line } from '../brand/dots.ts';
import type { OwnLink } from '../ports/share-store.ts';
import { shareUrl } from './share-link.ts';

/** The host's settings for sharing. */
export interface ShareOptions {
  /** Shows people their place in line. */
  readonly showPlaces: boolean;
}

/** A share link as shown to its owner. */
export interface Share {
  readonly url: string;
  /** The number of their referrals that count. */
  readonly confirmed: number;
  /** Left out unless the host shows places and the person is in line. */
  readonly place?: number | undefined;
}

/** A share link with its texts and a picture of the place in line, for its owner's pages. */
export interface PageShare extends SharedLink {
  /** Left out if there is no `place`. `scale` explains how many people a dot represents; empty if it is one. */
  readonly line?: Omit<Line, 'people'> & { readonly scale: string };
}

interface Site {
  /** Where links lead if the signup page is unknown or not on the host's site. */
  readonly homeUrl: string;
  readonly isOwnOrigin: (origin: string) => boolean;
}

/**
 * `place` is null if it is not shown. The signup page was sent by a browser and could be forged, so it is only used if
 * its origin is the host's.
 */
export function describeShare({ code, page, confirmed }: OwnLink, place: number | null, site: Site): Share {
  const origin = page && URL.parse(page)?.origin;
  const own = page && origin && site.isOwnOrigin(origin) ? page : site.homeUrl;
  return { url: shareUrl(own, code), confirmed, ...(place !== null && { place }) };
}
