import { runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await runOrExit('storybook', ['dev', '--port', '6006', '--host', '127.0.0.1', '--no-open', '--disable-telemetry'], {
  live: true,
});
