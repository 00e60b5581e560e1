import { suite } from '../support/suite.ts';

/** Tests the built Storybook. */
export default suite('storybook');
