import { findFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import { LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { suite } from '../support/suite.ts';

const hasFirestore = typeof findFirestoreEmulator() !== 'string';

/** The same flows on a server with Postgres and on Firebase. A project has the name of its storage. */
export default suite('journey', {
  // All tests of a storage share a backend, because Firebase's emulators take long to start.
  fullyParallel: false,
  // Each test covers a large part of the product.
  timeout: 5 * LIMIT_MS,
  ...(hasFirestore && { globalSetup: '../support/install-emulators.ts' }),
  projects: [{ name: 'postgres' }, ...(hasFirestore ? [{ name: 'firestore', use: { ignoreHTTPSErrors: true } }] : [])],
});
