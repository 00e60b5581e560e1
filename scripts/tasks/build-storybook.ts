import { buildOrExit } from '../turbo.ts';

await buildOrExit(['storybook:static']);
