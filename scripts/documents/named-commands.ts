import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isTask, NPM_SCRIPTS } from '../npm-scripts.ts';
import { ROOT } from '../run.ts';

/** Excludes `docs/start`, whose commands run in the reader's own project. */
const DOCUMENTS = [
  '*.md',
  'docs/!(start)/*.md',
  'docs/*.md',
  '{bench,e2e/engines,faults/simulation,scripts/mutation}/README.md',
];
const COMMAND = /`npm run ([\w:-]+)(?: -- ([\w:-]+))?/g;

/**
 * Returns a complaint for each `npm run …` in a document without a script in any package.json, and each unknown task.
 */
export function unknownCommands(): string[] {
  return globSync(DOCUMENTS, { cwd: ROOT }).flatMap((document) =>
    [...readFileSync(path.join(ROOT, document), 'utf8').matchAll(COMMAND)]
      .filter(
        ([, name = '', task]) => !NPM_SCRIPTS.has(name) || (name === 'task' && task !== undefined && !isTask(task)),
      )
      .map(([command]) => `${document} names ${command}\`, which does not exist`),
  );
}
