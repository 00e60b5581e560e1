const { FIRESTORE_EMULATOR_HOST: host } = process.env;

/** Google's emulator, to test on in place of the fake. It has to have the project's rules. */
export const EMULATOR_URL = host ? `http://${host}` : undefined;

/** The fake's clock is set by the tests; the emulator's goes on. */
export const CLOCK_CAN_BE_SET = EMULATOR_URL === undefined;

/** When the tests of the rules take place. */
export const NOW = CLOCK_CAN_BE_SET ? 1_760_000_000_000 : Date.now();

/** How far beyond the latest time that is allowed is too far: a millisecond, or longer than the tests take. */
export const BEYOND_MS = CLOCK_CAN_BE_SET ? 1 : 600_000;
