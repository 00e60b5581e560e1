import { fileURLToPath } from 'node:url';
import { loadSite, type Site } from './http/pages/site/site.ts';

/**
 * Reads the built dashboard, for the `dashboard` option of `createEarlyAccess`.
 *
 * @example
 * createEarlyAccess({ store, dashboard: await loadDashboard() });
 */
export function loadDashboard(): Promise<Site> {
  // The path is the same from `src` and from `dist`. Not a constant, because `import.meta.url` is undefined in the
  // CommonJS bundle of the functions.
  return loadSite(fileURLToPath(new URL('../dist/dashboard', import.meta.url)));
}
