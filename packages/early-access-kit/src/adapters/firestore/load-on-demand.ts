/** One call, because Vite writes out each `import()` with the names that it uses. */
export const loadOnDemand = () => import('./on-demand.ts');
