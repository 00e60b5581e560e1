import { suite } from '../support/suite.ts';

/** Tests the packed package in typical projects. `npm test -- all` runs those tagged @fast, `npm run test:consumers` all of them. */
export default suite('consumers', {
  globalSetup: './support/pack.ts',
  // Each file builds its consumer once.
  fullyParallel: false,
});
