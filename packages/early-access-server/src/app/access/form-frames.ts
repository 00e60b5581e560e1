import { originPolicy, parseAllowedOrigin } from './origins.ts';

/** Signup form pages that the server itself can serve. All are off by default. */
export interface HostedForms {
  /** Serves `/join`, a signup page for products without their own page. */
  readonly joinPage?: boolean | undefined;
  /**
   * The origins whose pages may show `/form` in an iframe. `https://*.example.com` allows exactly one leading label.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Form keys by the `source` of their signups: any page may frame `/form?key=…`. Meant for site builders whose pages
   * share an origin or have none. A key is visible in a public page, so it cannot be guessed but is not a secret.
   */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

/** `destination` is the `Sec-Fetch-Dest` header, which browsers only send to https and to this machine. */
export type FrameFact = 'key' | 'destination' | 'referer' | 'host';

export function formFrames({ origins = [], keys = {} }: HostedForms, site: URL | null) {
  const allowed = origins.flatMap((origin) => parseAllowedOrigin(origin) ?? []);
  const policy = originPolicy({ site, allowedOrigins: allowed });
  const sources = new Map(Object.entries(keys).map(([source, key]) => [key, source]));
  return {
    isOn: allowed.length > 0 || sources.size > 0,
    origins: allowed,
    /** Returns whether pages of this origin may show the form. */
    allows: (origin: string, host: string | undefined): boolean => policy.judge(origin, host) !== 'foreign',
    findSource: (key = ''): string | undefined => sources.get(key),
    /**
     * Returns true if the framing page may show the form, otherwise that page's origin (`null` if it is opaque or
     * unknown). Browsers show an empty frame if `frame-ancestors` blocks it, so blocked pages get a document with a
     * link instead. The policy protects the form itself, because `Referer` only contains the innermost framing page.
     */
    judge({ key = '', destination, referer, host }: Partial<Record<FrameFact, string | undefined>>): true | string {
      const isFramed = destination === undefined ? referer !== undefined : destination !== 'document';
      if (!isFramed || sources.has(key)) return true;
      const origin = URL.parse(referer ?? '')?.origin ?? 'null';
      return policy.judge(origin, host) !== 'foreign' || origin;
    },
  };
}
