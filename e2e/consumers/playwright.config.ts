import { LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { suite } from '../support/suite.ts';

/**
 * Tests the packed package in typical projects. `npm test -- all` only runs tests tagged @fast;
 * `npm run task -- test:consumers` runs all of them.
 */
export default suite('consumers', {
  globalSetup: './support/pack.ts',
  // npm installs projects and their tools build them, which takes minutes.
  timeout: 15 * LIMIT_MS,
  // Each file builds its consumer once.
  fullyParallel: false,
});
