import { buildPart } from '../build.ts';
import { runOrExit } from '../run.ts';

await buildPart('kit');
await runOrExit('storybook', ['dev', '--port', '6006', '--host', '127.0.0.1', '--no-open', '--disable-telemetry'], {
  live: true,
});
