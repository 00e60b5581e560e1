import { isDeepStrictEqual } from 'node:util';
import { HOSTED_PATHS } from '../functions/hosted-paths.ts';
import { addMissing, isObject, type Json, type JsonObject, toList, toObjects } from './json.ts';

/** Identifies this package's functions in a project. `firebase deploy` does not touch other codebases. */
export const CODEBASE = 'early-access';

/** Choices of the project for `init`. */
export interface ProjectOptions {
  /** The folder of the functions. */
  readonly functions: string;
  /** The region of the functions. */
  readonly region: string;
  /** The folder of the pages. */
  readonly site: string;
  /** The paths of disabled pages of the functions, at which the site may have its own pages. */
  readonly pathsOfSite: readonly string[];
}

/**
 * Links that a mail filter has changed: the number sign encoded, or a slash added. The function redirects them. Longer
 * names are other paths of the site. Hosting matches paths without decoding them.
 */
const CHANGED_LINKS =
  '^/((confirm|unsubscribe|invite)/+|(confirm|unsubscribe|invite|admin)/*([^A-Za-z0-9_./-]|(token|invite)=).*)$';

/** The dashboard is one page, even at paths such as `/admin/people`. */
const DASHBOARD_PAGES: JsonObject = { source: '/admin/*', destination: '/admin/index.html' };

/** Hosting removes cookies from responses that are not private. If several rules match, the last one applies. */
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
  // Everyone gets the same number, so it can be cached.
  { source: '/api/count', headers: [{ key: 'Cache-Control', value: 'public, max-age=60' }] },
  { source: '/confirm', headers: [PRIVATE] },
  { source: '/unsubscribe', headers: [PRIVATE] },
  { source: '/invite', headers: [PRIVATE] },
  { regex: CHANGED_LINKS, headers: [PRIVATE] },
];

/** Returns the `firebase.json` of a new project. */
export function firebaseJson(options: ProjectOptions) {
  return {
    firestore: { rules: 'firestore.rules', indexes: 'firestore.indexes.json' },
    functions: [createCodebase(options.functions)],
    hosting: completeSite({ ignore: ['firebase.json', '**/.*', '**/node_modules/**'] }, options),
    emulators: { firestore: { port: 8080 }, functions: { port: 5001 }, hosting: { port: 5000 } },
  };
}

/**
 * Adds everything that an existing `firebase.json` lacks. If there are several databases or sites, the default or first
 * one is extended.
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

/** Returns the rules and indexes files of the default database. */
export function firestoreFiles(config: JsonObject): { readonly rules: string; readonly indexes: string } {
  const { rules, indexes } = toObjects(config.firestore).find(isDefaultDatabase) ?? {};
  return {
    rules: typeof rules === 'string' ? rules : 'firestore.rules',
    indexes: typeof indexes === 'string' ? indexes : 'firestore.indexes.json',
  };
}

/** Returns the folder of our functions; null if there is none. */
export function findFunctionsFolder({ functions }: JsonObject): string | null {
  const source = toObjects(functions).find(({ codebase }) => codebase === CODEBASE)?.source;
  return typeof source === 'string' ? source : null;
}

/** Returns the folder of the site; null if there is none. */
export function findSite({ hosting }: JsonObject): string | null {
  const [site] = toObjects(hosting);
  return typeof site?.public === 'string' ? site.public : null;
}

/** Returns whether deploying the site writes the scripts for pages without a bundler. */
export function hasScripts({ hosting }: JsonObject): boolean {
  const [site] = toObjects(hosting);
  return toList(site?.predeploy).some((command) => String(command).includes('early-access-firebase scripts'));
}

/** Returns the codebase that already uses this folder; null if there is none. */
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
 * Adds the functions' paths before the site's own rewrites, which may match everything, and their headers after the
 * site's own.
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

/** Sets the region of a rewrite to one of our functions. */
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

/** Returns the rules whose source has none yet: an existing rule is the project's decision. */
function selectMissing(theirs: readonly Json[], ours: readonly JsonObject[]): JsonObject[] {
  const find = ({ source, regex }: JsonObject) => source ?? regex;
  const sources = new Set(toObjects(theirs).map(find));
  return ours.filter((rule) => !sources.has(find(rule)));
}

/** Replaces one value of a list, or a single value. */
function replaceValue(list: Json | undefined, value: Json, replacement: Json): Json {
  return Array.isArray(list) ? list.map((part: Json) => (part === value ? replacement : part)) : replacement;
}

/** Adds the indexes and policies that an existing `firestore.indexes.json` lacks. */
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

/** Finds the override of the same field. */
function findField(overrides: Json | undefined, { collectionGroup, fieldPath }: JsonObject): JsonObject | undefined {
  return toObjects(overrides).find((own) => own.collectionGroup === collectionGroup && own.fieldPath === fieldPath);
}
