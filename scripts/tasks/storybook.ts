/** Shows every state of the widgets on port 6006, with hot reload: `npm run storybook`. */
import { runOrExit } from '../run.ts';
import { buildCodeOrExit } from '../turbo.ts';

await buildCodeOrExit(['early-access-kit#build']);
const options = ['--port', '6006', '--host', '127.0.0.1', '--no-open', '--disable-telemetry'];
await runOrExit('storybook', ['dev', ...options], { live: true });
