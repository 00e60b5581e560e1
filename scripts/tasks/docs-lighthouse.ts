/** Runs Lighthouse on every page of the documentation site, which takes half an hour. `npm test -- all` does it on the home page. */
import { runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['docs-site#build']);
await runOrExit('node', ['scripts/test/lighthouse.ts', 'docs'], { live: true });
