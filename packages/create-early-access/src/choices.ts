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

/** Why Firestore is not offered, and the command for it. */
export const NO_FIRESTORE =
  'Firestore needs a Firebase project, so it is set up in the folder of one: npx early-access-firebase init';

export function hasKey<T extends object>(choices: T, key: string): key is keyof T & string {
  return Object.hasOwn(choices, key);
}

export function listKeys<T extends object>(choices: T): (keyof T & string)[] {
  return Object.keys(choices).filter((key) => hasKey(choices, key));
}
