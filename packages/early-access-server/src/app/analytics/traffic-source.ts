import { MAX_LENGTH, type SessionStart, type StoredSignup } from 'early-access-kit/internal';
import { DIMENSIONS, type Dimension, fitsIndex, OTHER } from './analytics.ts';

/** The value of a session or signup in each breakdown. */
export type TrafficSource = Readonly<Record<Dimension, string>>;

/** Dimensions whose values visitors can choose, so their number is limited (`MAX_VALUES_PER_DAY`). */
const OPEN_DIMENSIONS = ['referrer_host', 'utm_source', 'utm_medium', 'utm_campaign', 'landing_path'] as const;
export type OpenDimension = (typeof OPEN_DIMENSIONS)[number];

/** The session fields that determine its traffic source, as a store reads them. */
export type TrafficSourceFields = Pick<
  SessionStart,
  'referrer' | 'is_returning_visitor' | Exclude<OpenDimension, 'referrer_host'>
> &
  Readonly<Record<'device_type' | 'browser' | 'os', string>> & { readonly country?: string | null };

export function toSessionSource(session: TrafficSourceFields): TrafficSource {
  return {
    referrer_host: readHost(session.referrer),
    utm_source: session.utm_source ?? '',
    utm_medium: session.utm_medium ?? '',
    utm_campaign: session.utm_campaign ?? '',
    landing_path: session.landing_path ?? '',
    device_type: session.device_type,
    browser: session.browser,
    os: session.os,
    visitor_type: session.is_returning_visitor ? 'returning' : 'new',
    country: session.country ?? '',
  };
}

/** The traffic source of a signup whose session is not stored. */
export function toSignupSource(
  signup: Pick<StoredSignup, 'referrer' | 'page_url' | 'utm_source' | 'utm_medium' | 'utm_campaign'>,
): TrafficSource {
  return {
    referrer_host: readHost(signup.referrer),
    utm_source: signup.utm_source ?? '',
    utm_medium: signup.utm_medium ?? '',
    utm_campaign: signup.utm_campaign ?? '',
    landing_path: URL.parse(signup.page_url ?? '')?.pathname.slice(0, MAX_LENGTH.landing_path) ?? '',
    device_type: '',
    browser: '',
    os: '',
    visitor_type: '',
    country: '',
  };
}

/** Replaces each value that is too long, or exceeds the day's limit, with `OTHER`. */
export function limitSource(
  trafficSource: TrafficSource,
  hasRoom: (dimension: OpenDimension, value: string) => boolean,
): TrafficSource {
  const bounded = { ...trafficSource };
  for (const dimension of OPEN_DIMENSIONS) {
    const value = trafficSource[dimension];
    if (value !== '' && !(fitsIndex(value) && hasRoom(dimension, value))) bounded[dimension] = OTHER;
  }
  return bounded;
}

export function matches(trafficSource: TrafficSource, filter: Readonly<Partial<TrafficSource>>): boolean {
  return DIMENSIONS.every(
    (dimension) => filter[dimension] === undefined || filter[dimension] === trafficSource[dimension],
  );
}

/** The host without `www.`, so that both names of a site count as one. */
function readHost(url: string | null): string {
  return (URL.parse(url ?? '')?.host ?? '').replace(/^www\./, '');
}
