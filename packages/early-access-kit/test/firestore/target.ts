const { FIRESTORE_EMULATOR_HOST: host } = process.env;

/** Google's emulator, to test on instead of the fake. It must have the project's rules. */
export const EMULATOR_URL = host ? `http://${host}` : undefined;

/** The tests can set the fake's clock, but not the emulator's. */
export const CLOCK_CAN_BE_SET = EMULATOR_URL === undefined;

/** The current time in the tests of the rules. */
export const NOW = CLOCK_CAN_BE_SET ? 1_760_000_000_000 : Date.now();

/** How far beyond the latest allowed time is too far: a millisecond, or longer than the tests take. */
export const BEYOND_MS = CLOCK_CAN_BE_SET ? 1 : 600_000;
