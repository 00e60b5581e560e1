import { readFileSync } from 'node:fs';

interface Script {
  readonly file: string;
  readonly integrity: string;
}

/** The scripts that were built, with their hashes. */
export function scripts(): { main: Script; admin: Script } {
  const list = new URL('../../../packages/early-access-kit/dist/script/embed.json', import.meta.url);
  return JSON.parse(readFileSync(list, 'utf8'));
}
