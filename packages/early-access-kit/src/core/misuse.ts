/**
 * Mistakes in a host's code that types do not prevent in JavaScript. Each call is guarded by `process.env.NODE_ENV !==
 * 'production'`, written out, so that bundlers leave all of it out of production, with the `try` around it, which is
 * empty then. The `try` is for pages that import the modules without a bundler and have no `process`.
 */

/** For the `catch` of a guard: throws the mistake that was found. Without `process` nothing was looked at. */
export function rethrowMistake(error: unknown): void {
  if (!(error instanceof ReferenceError)) throw error;
}

/** Throws a `TypeError` that names every option that there is not. */
export function refuseUnknown(caller: string, unknown: object): void {
  const names = Object.keys(unknown);
  if (names.length > 0) throw new TypeError(`early-access-kit: ${caller} has no option ${names.join(', ')}`);
}

/** A path of this origin or an http(s) URL, to which paths can be appended. */
const ENDPOINT = /^(https?:\/\/[^\s/?#]+)?(\/[^\s/?#]+)*$/i;

/** Throws a `TypeError` if no route can be called below the endpoint. */
export function checkEndpoint(caller: string, endpoint: unknown): void {
  if (typeof endpoint === 'string' && ENDPOINT.test(endpoint)) return;
  throw new TypeError(
    `early-access-kit: the endpoint of ${caller} must be a path such as "/api", or a URL such as "https://early.example.com/api", without a slash at its end; it is ${JSON.stringify(endpoint)}`,
  );
}

/** Throws a `TypeError` unless the key of the site is a text. */
export function checkSiteKey(caller: string, siteKey: unknown): void {
  if (typeof siteKey !== 'string' || siteKey === '') throw new TypeError(`early-access-kit: ${caller} needs a siteKey`);
}

/** Throws a `TypeError` if the tag is none of BCP 47: browsers would throw where they format numbers. */
export function checkLocale(locale: string | undefined): void {
  try {
    Intl.getCanonicalLocales(locale);
  } catch {
    throw new TypeError(
      `early-access-kit: locale must be a BCP 47 tag such as "pt-BR"; it is ${JSON.stringify(locale)}`,
    );
  }
}

/** A host may change the adapter now and then; one that is created on each render changes with each. */
const MAX_ADAPTERS = 3;
const adapters = new WeakMap<object, Set<object>>();
let hasWarned = false;

/** Throws a `TypeError` if the provider has no adapter. Warns once per page if it gets a new one again and again. */
export function checkAdapter(provider: object, adapter: { createSignup?: unknown } | undefined): void {
  if (typeof adapter?.createSignup !== 'function') {
    throw new TypeError('early-access-kit: <EarlyAccessProvider> needs an adapter, such as httpAdapter()');
  }
  const seen = (adapters.get(provider) ?? new Set()).add(adapter);
  adapters.set(provider, seen);
  if (seen.size <= MAX_ADAPTERS || hasWarned) return;
  hasWarned = true;
  warn('create the adapter once, outside the component; a new one on each render starts a new session each time');
}

let overlays = 0;

/**
 * Warns if a page has several overlays, which open with the same keys. Call it with 1 for each that is mounted, and
 * with -1 when it is not.
 */
export function countOverlays(change: 1 | -1): void {
  overlays += change;
  if (overlays > 1)
    warn(`there are ${overlays} admin overlays on this page, which all open with Ctrl+Alt+A; render one`);
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the host's developer has no other way to learn it
  console.warn(`early-access-kit: ${text}`);
}
