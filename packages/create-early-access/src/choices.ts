export interface Choice {
  readonly label: string;
  readonly hint: string;
}

/** The frameworks in the order of the question. */
export const FRAMEWORKS = {
  vite: { label: 'Vite + React', hint: 'the server runs beside it' },
  next: { label: 'Next.js', hint: 'the server is inside' },
  astro: { label: 'Astro', hint: 'the server is inside' },
  html: { label: 'Plain HTML', hint: 'one script tag, no build' },
} as const satisfies Record<string, Choice>;

export const STORES = {
  sqlite: { label: 'SQLite', hint: 'one file, nothing to set up' },
  postgres: { label: 'Postgres', hint: 'an existing database, for several processes' },
  firestore: { label: 'Firestore', hint: 'a Firebase project, no server to run' },
} as const satisfies Record<string, Choice>;

export type Framework = keyof typeof FRAMEWORKS;
export type Store = keyof typeof STORES;

/** Firestore is for static pages. The other frameworks render on a server, which can use a database. */
export function hasStore(framework: Framework, store: Store): boolean {
  return store !== 'firestore' || framework === 'vite' || framework === 'html';
}

export const FIRESTORE_PAGES = 'Firestore needs static pages: choose vite or html';

export function hasKey<T extends object>(choices: T, key: string): key is keyof T & string {
  return Object.hasOwn(choices, key);
}

export function listKeys<T extends object>(choices: T): (keyof T & string)[] {
  return Object.keys(choices).filter((key) => hasKey(choices, key));
}
