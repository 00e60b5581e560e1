import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Such an import starts a server, a browser, a bundler or another program. */
const PROGRAMS =
  /from '(node:child_process|vite|playwright|@early-access-kit\/testkit\/(bundlers|child-process|releases)|\.\/(child-process|postgres-server)\.ts|.*\/(postgres-server|fixtures\/(postgres|child-server)\.ts|static-server\.ts))'/;

/** The test files in Node that start programs, below the repository's root. */
export function testsWithPrograms(exclude: readonly string[] = []): string[] {
  return globSync('{packages,site,bench}/**/*.test.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/{node_modules,dist,browser}/**', ...exclude],
  }).filter((file) => PROGRAMS.test(readFileSync(path.join(ROOT, file), 'utf8')));
}
