import { fileURLToPath } from 'node:url';
import { loadSite, type Site } from './http/site/site.ts';

/** The same folder from `src` and from `dist`. */
const BUILT = fileURLToPath(new URL('../dist/dashboard', import.meta.url));

/** Reads the built dashboard, for the option `dashboard` of `createEarlyAccess`. Null if it is not built. */
export function loadDashboard(): Promise<Site | null> {
  return loadSite(BUILT);
}
