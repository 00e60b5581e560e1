/** A single `import()`, because Vite writes out the list of used names for each one. */
export const loadOnDemand = () => import('./on-demand.ts');
