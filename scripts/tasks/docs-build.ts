/** Builds the documentation site with Storybook beside its pages, in `docs-site/dist`. DOCS_BASE is its path on the host, such as `/kit/`. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['docs-site#build', 'storybook:static']);
const folder = path.join(ROOT, 'docs-site/dist');
cpSync(path.join(ROOT, 'storybook-static'), path.join(folder, 'storybook'), { recursive: true });
console.error(`Built ${folder}`);
