/**
 * Runs random histories of the application with failing disks, networks and processes: `npm run task -- simulate 17`
 * repeats the one with seed 17, `npm run task -- simulate 1-1000 --workers 2` runs many.
 */
import { run } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
const SIMULATOR = 'faults/simulation/main.ts';
process.exitCode = (await run(process.execPath, [SIMULATOR, ...process.argv.slice(2)], { live: true })).code;
