import { buildPart } from '../build.ts';
import { runOrExit } from '../run.ts';

await buildPart('kit');
await runOrExit('storybook', ['build', '--output-dir', 'storybook-static', '--disable-telemetry'], { live: true });
