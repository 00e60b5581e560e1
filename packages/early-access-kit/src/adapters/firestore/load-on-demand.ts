/** A single `import()`, because Vite repeats the list of used names for each one. */
export const loadOnDemand = () => import('./on-demand.ts');
