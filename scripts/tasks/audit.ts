/** Checks the locked dependencies for known vulnerabilities: `npm run audit`. Exits with 1 if there is one or the registry is unreachable. */
import { runOrExit } from '../run.ts';

await runOrExit('pnpm', ['audit', ...process.argv.slice(2)]);
