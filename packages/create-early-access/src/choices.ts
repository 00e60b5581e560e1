export interface Choice {
  readonly label: string;
  readonly hint: string;
}

/** The frameworks, in the order in which they are offered. */
export const FRAMEWORKS = {
  vite: { label: 'Vite + React', hint: 'the server runs beside it' },
  next: { label: 'Next.js', hint: 'the server is inside' },
  astro: { label: 'Astro', hint: 'the server is inside' },
  html: { label: 'Plain HTML', hint: 'one script tag, no build' },
} as const satisfies Record<string, Choice>;

export const STORES = {
  sqlite: { label: 'SQLite', hint: 'one file, nothing to set up' },
  postgres: { label: 'Postgres', hint: 'a database that you have, for several processes' },
} as const satisfies Record<string, Choice>;

export type Framework = keyof typeof FRAMEWORKS;
export type Store = keyof typeof STORES;

/** Why Firestore is not offered, and where to read about it instead. */
export const NO_FIRESTORE =
  'Firestore needs a Firebase project with our rules and functions, so it cannot be set up here: https://github.com/early-access-kit/early-access-kit/blob/main/docs/deploy-firebase.md';

export function hasKey<T extends object>(choices: T, key: string): key is keyof T & string {
  return Object.hasOwn(choices, key);
}

export function listKeys<T extends object>(choices: T): (keyof T & string)[] {
  return Object.keys(choices).filter((key) => hasKey(choices, key));
}
