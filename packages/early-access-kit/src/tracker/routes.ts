/** A route change event, with its type. */
export type RouteChange = Event & { readonly navigationType?: NavigationType | null };

/** Returns the path of the page. Includes a path in the fragment, as some routers have it (`#/prices`, `#!/prices`), without its query. */
export const readPath = () => location.pathname + /^#!?\/[^?]+/.exec(location.hash);
