import { suite } from '../support/suite.ts';

/** The built documentation site on a static host. */
export default suite('docs-site');
