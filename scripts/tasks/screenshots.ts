/** Takes the screenshots of the documents: `npm run task -- screenshots`. */
import { runOrExit } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

await buildOrExit(SELF_HOSTED);
await runOrExit('node', ['e2e/screenshots.ts'], { live: true });
