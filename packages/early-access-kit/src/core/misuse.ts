/**
 * Detects mistakes in a host's code that only types would prevent. Each call is guarded by a literal
 * `process.env.NODE_ENV !== 'production'`, so that bundlers remove it and the emptied `try` around it in production.
 * The `try` is for pages that import the modules without a bundler and have no `process`.
 */

/** For the guard's `catch`: rethrows a detected mistake. A missing `process` is ignored. */
export function rethrowMistake(error: unknown): void {
  if (!(error instanceof ReferenceError)) throw error;
}

/** Throws a `TypeError` that names all unknown options. */
export function refuseUnknown(caller: string, unknown: object): void {
  const names = Object.keys(unknown);
  if (names.length > 0) throw new TypeError(`early-access-kit: ${caller} has no option ${names.join(', ')}`);
}

/** A path of this origin or an http(s) URL, to which paths can be appended. */
const ENDPOINT = /^(https?:\/\/[^\s/?#]+)?(\/[^\s/?#]+)*$/i;

/** Throws a `TypeError` if routes cannot be appended to the endpoint. */
export function checkEndpoint(caller: string, endpoint: unknown): void {
  if (typeof endpoint === 'string' && ENDPOINT.test(endpoint)) return;
  throw new TypeError(
    `early-access-kit: the endpoint of ${caller} must be a path such as "/api", or a URL such as "https://early.example.com/api", without a slash at its end; it is ${JSON.stringify(endpoint)}`,
  );
}

/** Throws a `TypeError` unless the site key is a string. */
export function checkSiteKey(caller: string, siteKey: unknown): void {
  if (typeof siteKey !== 'string' || siteKey === '') throw new TypeError(`early-access-kit: ${caller} needs a siteKey`);
}

/** Throws a `TypeError` unless the tag is valid BCP 47, because browsers would throw when formatting numbers. */
export function checkLocale(locale: string | undefined): void {
  try {
    Intl.getCanonicalLocales(locale);
  } catch {
    throw new TypeError(
      `early-access-kit: locale must be a BCP 47 tag such as "pt-BR"; it is ${JSON.stringify(locale)}`,
    );
  }
}

/** A host may change the adapter occasionally; creating it during render changes it every time. */
const MAX_ADAPTERS = 3;
const adapters = new WeakMap<object, Set<object>>();
let hasWarned = false;

/** Throws a `TypeError` if the provider has no adapter. Warns once per page if the adapter keeps changing. */
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
 * Warns if a page has several overlays, because they open with the same shortcut. Call with 1 when an overlay mounts
 * and with -1 when it unmounts.
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
