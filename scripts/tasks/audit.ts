/** Asks the registry for known holes in what the lockfile holds: `npm run audit`. Ends with 1 where there is one, or where nobody answers. */
import { runOrExit } from '../run.ts';

await runOrExit('pnpm', ['audit', ...process.argv.slice(2)]);
