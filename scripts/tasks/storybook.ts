/** Shows every state of the widgets on port 6006, with hot reload: `npm run storybook`. */
import { runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
const options = ['--port', '6006', '--host', '127.0.0.1', '--no-open', '--disable-telemetry'];
await runOrExit('storybook', ['dev', ...options], { live: true });
