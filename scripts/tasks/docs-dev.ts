/** The documentation site with hot reload. Links to stories need `npm run storybook` beside it. */
import { runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await runOrExit('pnpm', ['exec', 'vitepress', 'dev', '--host', '127.0.0.1', '--port', '4180'], {
  cwd: 'docs-site',
  live: true,
});
