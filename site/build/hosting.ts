import type { Policy } from './html.ts';
import type { FirestoreStorage } from './storage.ts';

/** The parts of `firebase.json` that depend on the build. */
export interface FirebaseJson {
  readonly hosting: {
    readonly public: string;
    readonly rewrites: readonly Rewrite[];
    readonly headers: readonly HeaderRule[];
  };
}

/** A rewrite of a path to a function or a file. */
export type Rewrite = Matcher &
  ({ readonly function: { readonly functionId: string; readonly region: string } } | { readonly destination: string });

/** The paths that a rule applies to, as a glob or a regular expression. */
type Matcher = { readonly source: string } | { readonly regex: string };

export type HeaderRule = Matcher & {
  readonly headers: readonly { readonly key: string; readonly value: string }[];
};

type Sources = Readonly<Record<string, readonly string[]>>;

const POLICY = 'Content-Security-Policy';
/** The site's own files. The functions' responses have their own policies, and Hosting would override their headers. */
const PAGES = '!/@(api|confirm|unsubscribe|invite|status|join|form|healthz|skill.md|llms.txt){,/**}';

/** The sources that Google documents for reCAPTCHA, plus the endpoint for App Check tokens. */
const APP_CHECK_SOURCES: Sources = {
  'script-src': ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  'frame-src': ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  'connect-src': ['https://content-firebaseappcheck.googleapis.com', 'https://www.google.com/recaptcha/'],
};

/**
 * Returns `firebase.json` for one build of the site. The template's policies only allow the site itself. This adds the
 * pages' inline styles and script, and the origins that this project sends data to. The dashboard's policy is not
 * changed.
 */
export function createFirebaseConfig<T extends FirebaseJson>(
  template: T,
  publicFolder: string,
  { styleHashes, scriptHashes }: Policy,
  { settings, appCheckSiteKey }: FirestoreStorage,
): T {
  const { projectId, functionsRegion: region = 'us-central1', emulator } = settings;
  const store = emulator?.firestore ?? 'https://firestore.googleapis.com';
  const functions = emulator?.functions ?? `https://${region}-${projectId}.cloudfunctions.net`;
  const opened = [
    { 'script-src': quoted(scriptHashes), 'style-src': quoted(styleHashes), 'connect-src': [store, functions] },
    ...(appCheckSiteKey === null ? [] : [APP_CHECK_SOURCES]),
  ];
  const headers = template.hosting.headers.map((rule) => ({
    ...rule,
    headers: rule.headers.map(({ key, value }) => ({
      key,
      value: key === POLICY && isForPages(rule) ? opened.reduce(openPolicy, value) : value,
    })),
  }));
  if (!headers.some((rule) => isForPages(rule) && rule.headers.some(({ key }) => key === POLICY))) {
    throw new Error(`firebase.json sets no ${POLICY}`);
  }
  const rewrites = template.hosting.rewrites.map((rewrite) =>
    'function' in rewrite ? { ...rewrite, function: { ...rewrite.function, region } } : rewrite,
  );
  return { ...template, hosting: { ...template.hosting, public: publicFolder, rewrites, headers } };
}

function isForPages(rule: HeaderRule): boolean {
  return 'source' in rule && rule.source === PAGES;
}

function quoted(hashes: readonly string[]): string[] {
  return hashes.map((hash) => `'${hash}'`);
}

/** Adds sources to the directives of a policy. Missing directives are created. */
function openPolicy(policy: string, sources: Sources): string {
  const directives = new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values] as const;
    }),
  );
  for (const [name, added] of Object.entries(sources)) {
    directives.set(name, [...new Set([...(directives.get(name) ?? []), ...added])]);
  }
  return [...directives].map((directive) => directive.flat().join(' ')).join('; ');
}
