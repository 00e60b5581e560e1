import { runOrExit } from '../run.ts';

await runOrExit('biome', ['check', '--write', '.'], { live: true });
