import { configure } from '@testing-library/dom';

// The default of one second is too short for lazy modules while other suites use the processor.
configure({ asyncUtilTimeout: 120_000 });
