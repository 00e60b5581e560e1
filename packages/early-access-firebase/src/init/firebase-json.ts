import { isDeepStrictEqual } from 'node:util';
import { HOSTED_PATHS } from '../functions/hosted-paths.ts';
import { addMissing, isObject, type Json, type JsonObject, toList, toObjects } from './json.ts';

/** Identifies this package's functions in a project. `firebase deploy` does not touch other codebases. */
export const CODEBASE = 'early-access';

/** What a project decides once. */
export interface ProjectOptions {
  /** The folder of the functions. */
  readonly functions: string;
  /** The region of the functions. */
  readonly region: string;
  /** The folder of the pages. */
  readonly site: string;
  /** The paths of the functions' pages that are turned off, where the site may have pages of its own. */
  readonly pathsOfSite: readonly string[];
}

/**
 * Links that a mail filter has changed: the number sign encoded, or a slash added. The function redirects them. Longer
 * names are other paths of the site. Hosting compares paths as they were sent.
 */
const CHANGED_LINKS =
  '^/((confirm|unsubscribe|invite)/+|(confirm|unsubscribe|invite|admin)/*([^A-Za-z0-9_./-]|(token|invite)=).*)$';

/** The dashboard is one page, also at the paths of its pages, such as `/admin/people`. */
const DASHBOARD_PAGES: JsonObject = { source: '/admin/*', destination: '/admin/index.html' };

/** Hosting removes the cookie of a response that is not private, and applies the last of the rules that match. */
const PRIVATE = { key: 'Cache-Control', value: 'private, no-store' };
const DASHBOARD_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
const HEADERS = [
  { source: '/admin/**', headers: [{ key: 'Content-Security-Policy', value: DASHBOARD_POLICY }] },
  {
    source: '/admin/assets/**',
    headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
  },
  { source: '/api/**', headers: [PRIVATE] },
  // The same number for everyone.
  { source: '/api/count', headers: [{ key: 'Cache-Control', value: 'public, max-age=60' }] },
  { source: '/confirm', headers: [PRIVATE] },
  { source: '/unsubscribe', headers: [PRIVATE] },
  { source: '/invite', headers: [PRIVATE] },
  { regex: CHANGED_LINKS, headers: [PRIVATE] },
];

/** The `firebase.json` of a new project. */
export function firebaseJson(options: ProjectOptions) {
  return {
    firestore: { rules: 'firestore.rules', indexes: 'firestore.indexes.json' },
    functions: [createCodebase(options.functions)],
    hosting: completeSite({ ignore: ['firebase.json', '**/.*', '**/node_modules/**'] }, options),
    emulators: { firestore: { port: 8080 }, functions: { port: 5001 }, hosting: { port: 5000 } },
  };
}

/**
 * An existing `firebase.json` with everything of ours that it lacks. Of several databases or sites, the default or
 * first one gets ours.
 */
export function mergeFirebaseJson(theirs: JsonObject, options: ProjectOptions): JsonObject {
  const ours = firebaseJson(options);
  const merged: Record<string, Json> = addMissing(theirs, { emulators: ours.emulators });
  const databases = toObjects(theirs.firestore);
  const database = databases.find(isDefaultDatabase);
  if (databases.length === 0) merged.firestore = ours.firestore;
  else if (database) merged.firestore = replaceValue(theirs.firestore, database, addMissing(database, ours.firestore));
  if (findFunctionsFolder(theirs) === null) merged.functions = [...toList(theirs.functions), ...ours.functions];
  const [site] = toObjects(theirs.hosting);
  merged.hosting = site ? replaceValue(theirs.hosting, site, completeSite(site, options)) : ours.hosting;
  return merged;
}

/** The files that the default database of a `firebase.json` names. */
export function firestoreFiles(config: JsonObject): { readonly rules: string; readonly indexes: string } {
  const { rules, indexes } = toObjects(config.firestore).find(isDefaultDatabase) ?? {};
  return {
    rules: typeof rules === 'string' ? rules : 'firestore.rules',
    indexes: typeof indexes === 'string' ? indexes : 'firestore.indexes.json',
  };
}

/** Where a `firebase.json` has our functions; null if it has none. */
export function findFunctionsFolder({ functions }: JsonObject): string | null {
  const source = toObjects(functions).find(({ codebase }) => codebase === CODEBASE)?.source;
  return typeof source === 'string' ? source : null;
}

/** The folder of the pages that a `firebase.json` names; null if it has no site. */
export function findSite({ hosting }: JsonObject): string | null {
  const [site] = toObjects(hosting);
  return typeof site?.public === 'string' ? site.public : null;
}

/** Whether a deployment of the site writes the scripts for pages without a bundler. */
export function hasScripts({ hosting }: JsonObject): boolean {
  const [site] = toObjects(hosting);
  return toList(site?.predeploy).some((command) => String(command).includes('early-access-firebase scripts'));
}

/** The codebase whose functions are in this folder already; null if there is none. */
export function findOtherCodebase({ functions }: JsonObject, folder: string): string | null {
  const other = toObjects(functions).find(({ source = 'functions' }) => source === folder);
  if (other === undefined || other.codebase === CODEBASE) return null;
  return typeof other.codebase === 'string' ? other.codebase : 'default';
}

function isDefaultDatabase({ database = '(default)' }: JsonObject): boolean {
  return database === '(default)';
}

function createCodebase(source: string): JsonObject {
  return {
    source,
    codebase: CODEBASE,
    runtime: 'nodejs22',
    ignore: ['node_modules', '.git', '*.local', 'src'],
    predeploy: ['npm --prefix "$RESOURCE_DIR" run build'],
  };
}

/**
 * A site with the paths of the functions before its own rewrites, which may catch everything, and the headers after its
 * own.
 */
function completeSite(site: JsonObject, options: ProjectOptions): JsonObject {
  const { functions, region, site: folder } = options;
  const dashboard = `npx --prefix ${functions} early-access-firebase dashboard ${folder}/admin`;
  const predeploy = toList(site.predeploy);
  const hasDashboard = predeploy.some((command) => String(command).includes('early-access-firebase dashboard'));
  const rewrites = toList(site.rewrites).map((rule) => inRegion(rule, region));
  const headers = toList(site.headers);
  return {
    ...addMissing(site, { public: folder }),
    predeploy: hasDashboard ? predeploy : [...predeploy, dashboard],
    rewrites: [...selectMissing(rewrites, rewriteRules(options)), ...rewrites],
    headers: [...headers, ...selectMissing(headers, HEADERS)],
  };
}

/** A rewrite to one of our functions leads to where they run. */
function inRegion(rule: Json, region: string): Json {
  if (!isObject(rule) || !isObject(rule.function)) return rule;
  const { functionId } = rule.function;
  if (typeof functionId !== 'string' || !Object.hasOwn(HOSTED_PATHS, functionId)) return rule;
  return { ...rule, function: { ...rule.function, region } };
}

function rewriteRules({ region, pathsOfSite }: ProjectOptions): JsonObject[] {
  const respond = (functionId: string) => ({ function: { functionId, region } });
  const functions = Object.entries(HOSTED_PATHS).flatMap(([functionId, sources]) =>
    sources.filter((source) => !pathsOfSite.includes(source)).map((source) => ({ source, ...respond(functionId) })),
  );
  return [...functions, { regex: CHANGED_LINKS, ...respond('links') }, DASHBOARD_PAGES];
}

/** Returns the rules whose source has none yet: another rule of the same source is the project's decision. */
function selectMissing(theirs: readonly Json[], ours: readonly JsonObject[]): JsonObject[] {
  const find = ({ source, regex }: JsonObject) => source ?? regex;
  const sources = new Set(toObjects(theirs).map(find));
  return ours.filter((rule) => !sources.has(find(rule)));
}

/** A list with one of its values replaced, or the replacement of a single value. */
function replaceValue(list: Json | undefined, value: Json, replacement: Json): Json {
  return Array.isArray(list) ? list.map((part: Json) => (part === value ? replacement : part)) : replacement;
}

/** An existing `firestore.indexes.json` with the indexes and the policies of ours that it lacks. */
export function mergeIndexes(theirs: JsonObject, ours: JsonObject): JsonObject {
  const [indexes, overrides] = [toList(theirs.indexes), toObjects(theirs.fieldOverrides)];
  const isMissing = (index: Json) => !indexes.some((own) => isDeepStrictEqual(own, index));
  const merged = overrides.map((override) => addMissing(override, findField(ours.fieldOverrides, override) ?? {}));
  const missing = toObjects(ours.fieldOverrides).filter((override) => findField(overrides, override) === undefined);
  return {
    ...theirs,
    indexes: [...indexes, ...toList(ours.indexes).filter(isMissing)],
    fieldOverrides: [...merged, ...missing],
  };
}

/** The override of the same field. */
function findField(overrides: Json | undefined, { collectionGroup, fieldPath }: JsonObject): JsonObject | undefined {
  return toObjects(overrides).find((own) => own.collectionGroup === collectionGroup && own.fieldPath === fieldPath);
}
