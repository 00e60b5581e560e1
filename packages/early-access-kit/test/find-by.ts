import { configure } from '@testing-library/dom';

// Its default of a second is too short for what is loaded on demand while other suites use the processor.
configure({ asyncUtilTimeout: 120_000 });
