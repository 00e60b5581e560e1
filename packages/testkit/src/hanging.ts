/** Milliseconds after which a test gives a condition or a response up: only what hangs takes that long, even beside other suites on a slow machine. */
export const HANGING_MS = 600_000;
