import { suite } from '../support/suite.ts';

/** Tests the built documentation site on a static host. */
export default suite('docs-site');
