import { originPolicy, parseAllowedOrigin } from './origins.ts';

/** The pages with the form that the server itself has. All are off by default. */
export interface HostedForms {
  /** Whether `/join` is there, the signup page for a product without a page. */
  readonly joinPage?: boolean | undefined;
  /**
   * The origins whose pages may show `/form` in an iframe; `https://*.example.com` allows exactly one leading label.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Keys of forms by the `source` of their signups: `/form?key=…` may be framed by any page. For builders whose pages
   * share an origin or have none. A key is part of a public page, so it is a name that cannot be guessed, and not a
   * secret.
   */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

/** `destination`: `Sec-Fetch-Dest`, which browsers only send to https and to this machine. */
export type FrameFact = 'key' | 'destination' | 'referer' | 'host';

export function formFrames({ origins = [], keys = {} }: HostedForms, site: URL | null) {
  const allowed = origins.flatMap((origin) => parseAllowedOrigin(origin) ?? []);
  const policy = originPolicy({ site, allowedOrigins: allowed });
  const sources = new Map(Object.entries(keys).map(([source, key]) => [key, source]));
  return {
    isOn: allowed.length > 0 || sources.size > 0,
    origins: allowed,
    /** Whether pages of the origin may show the form. */
    allows: (origin: string, host: string | undefined): boolean => policy.judge(origin, host) !== 'foreign',
    findSource: (key = ''): string | undefined => sources.get(key),
    /**
     * Whether the page around a frame may show the form: true, or the page's origin, `null` if it has or says none. A
     * browser shows nothing of a page that `frame-ancestors` refuses, so a page that is not allowed gets one with a
     * link instead. The form itself is protected by its policy, because `Referer` only names the page right around the
     * frame.
     */
    judge({ key = '', destination, referer, host }: Partial<Record<FrameFact, string | undefined>>): true | string {
      const isFramed = destination === undefined ? referer !== undefined : destination !== 'document';
      if (!isFramed || sources.has(key)) return true;
      const origin = URL.parse(referer ?? '')?.origin ?? 'null';
      return policy.judge(origin, host) !== 'foreign' || origin;
    },
  };
}
