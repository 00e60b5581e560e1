import { suite } from '../support/suite.ts';

/** Compares screenshots of the built site and Storybook with those in `pictures`: `npm run task -- test:visual`. */
export default suite('visual', {
  // Without the platform's name, because fonts.ts makes screenshots the same on every machine.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  // Strict enough to detect a different shade. The allowed pixels are for edges, which processors round differently.
  expect: { toHaveScreenshot: { threshold: 0.04, maxDiffPixels: 12 } },
  use: { trace: 'off' },
});
