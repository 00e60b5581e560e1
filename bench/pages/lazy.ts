Object.assign(globalThis, { load: () => import('./empty.ts') });
