import { fc } from './fast-check.ts';

/**
 * A setup file of the tests on Google's emulator: a property ends with its first counterexample. Looking for a smaller
 * one takes minutes there, so that the test's time limit would hide both, and the search would go on in the database of
 * the tests after it.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
