import { suite } from '../support/suite.ts';

/** The built Storybook as a designer opens it. */
export default suite('storybook');
