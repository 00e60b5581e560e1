/** Every state of the widgets: `npm run storybook` on port 6006, `npm run build:storybook` as static files in `storybook-static`. */
import { runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

if (process.argv[2] === 'build') {
  await buildOrExit(['storybook:static']);
} else {
  await buildOrExit(['early-access-kit#build']);
  const options = ['--port', '6006', '--host', '127.0.0.1', '--no-open', '--disable-telemetry'];
  await runOrExit('storybook', ['dev', ...options], { live: true });
}
