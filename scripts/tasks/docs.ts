/**
 * `npm run docs` updates the README's size table from the build, and the table of benchmarks. The rest is the
 * documentation site:
 * - `npm run docs -- dev`: with hot reload. Links to stories need `npm run storybook` beside it.
 * - `npm run docs -- build`: with Storybook beside its pages, in `docs-site/dist`. DOCS_BASE is its path on the host,
 *   such as `/kit/`.
 * - `npm run docs -- lighthouse`: Lighthouse on every page, which takes half an hour. `npm test -- all` only checks the
 *   home page.
 *
 * `npm run docs -- build-storybook` builds every state of the widgets as static files in `storybook-static`.
 */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { writeDocuments } from '../documents/documents.ts';
import { ROOT, runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  async write() {
    await buildOrExit(['early-access-kit#build']);
    await writeDocuments();
  },
  async dev() {
    await buildOrExit(['early-access-kit#build']);
    await runOrExit('pnpm', ['exec', 'vitepress', 'dev', '--host', '127.0.0.1', '--port', '4180'], {
      cwd: 'docs-site',
      live: true,
    });
  },
  async build() {
    await buildOrExit(['docs-site#build', 'storybook:static']);
    const folder = path.join(ROOT, 'docs-site/dist');
    cpSync(path.join(ROOT, 'storybook-static'), path.join(folder, 'storybook'), { recursive: true });
    console.error(`Built ${folder}`);
  },
  async lighthouse() {
    await buildOrExit(['docs-site#build']);
    await runOrExit('node', ['scripts/test/lighthouse.ts', 'docs'], { live: true });
  },
  async 'build-storybook'() {
    await buildOrExit(['storybook:static']);
  },
};

const task = TASKS[process.argv[2] ?? 'write'];
if (task === undefined) throw new Error(`docs has only ${Object.keys(TASKS).join(', ')}`);
await task();
