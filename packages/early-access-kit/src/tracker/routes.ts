import type { MAX_LANDING_PATH_LENGTH } from '../core/limits.ts';

/** A route change event, with its type. */
export type RouteChange = Event & { readonly navigationType?: NavigationType | null };

/**
 * Returns the path of the page, as it is stored. Includes a path in the fragment, which some routers use (`#/prices`,
 * `#!/prices`), without its query.
 */
export const readPath = () =>
  (location.pathname + /^#!?\/[^?]+|$/.exec(location.hash)).slice(0, 1_024 satisfies typeof MAX_LANDING_PATH_LENGTH);
