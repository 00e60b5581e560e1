/**
 * Who a browser says the calling page is. `own` also where it says nothing: programs that are no browser, and plain GETs.
 * CORS alone would not stop a foreign page's simple POST, only hide its answer.
 */
type OriginVerdict = 'own' | 'allowed' | 'foreign';

export interface OriginPolicy {
  /** `origin` and `host` are the request's headers. */
  judge(origin: string | undefined, host: string | undefined): OriginVerdict;
}

export interface OriginPolicyOptions {
  /** The site's own origin, where it is known. */
  readonly ownOrigin?: string | undefined;
  readonly allowedOrigins?: Iterable<string>;
}

export function originPolicy({ ownOrigin, allowedOrigins = [] }: OriginPolicyOptions): OriginPolicy {
  const allowed = new Set(allowedOrigins);
  return {
    judge(origin, host) {
      if (origin === undefined || origin === ownOrigin) return 'own';
      // The scheme is not compared: a proxy in front may have ended TLS.
      if (host !== undefined && origin.replace(/^https?:\/\//, '') === host.toLowerCase()) return 'own';
      return allowed.has(origin) ? 'allowed' : 'foreign';
    },
  };
}
