import { fileURLToPath } from 'node:url';
import { loadSite, type Site } from './http/pages/site/site.ts';

/**
 * Reads the built dashboard, for the option `dashboard` of `createEarlyAccess`.
 *
 * @example
 * createEarlyAccess({ store, dashboard: await loadDashboard() });
 */
export function loadDashboard(): Promise<Site> {
  // The same folder from `src` and from `dist`. Not a constant: the module's URL is unknown in the functions' CommonJS
  // bundle.
  return loadSite(fileURLToPath(new URL('../dist/dashboard', import.meta.url)));
}
