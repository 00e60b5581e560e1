import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CREATE } from '@early-access-kit/testkit/packages';
import { ROOT } from './run.ts';

/** The script names in documents: the repository's own, and those of projects that readers create. */
export const NPM_SCRIPTS: ReadonlySet<string> = new Set(
  globSync(['package.json', 'examples/*/package.json', `${CREATE}/templates/*/package.json`], { cwd: ROOT }).flatMap(
    (file) => Object.keys(JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')).scripts ?? {}),
  ),
);

/** Returns whether `npm run task -- NAME` exists. */
export function isTask(name: string): boolean {
  return existsSync(path.join(ROOT, 'scripts/tasks', `${name.replaceAll(':', '-')}.ts`));
}
