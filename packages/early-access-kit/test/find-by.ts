import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import { configure } from '@testing-library/dom';

// The default of one second is too short for lazy modules while other suites use the processor.
configure({ asyncUtilTimeout: HANGING_MS });
