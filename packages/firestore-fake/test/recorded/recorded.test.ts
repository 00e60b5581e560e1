import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFirestoreEmulator } from '../../../testkit/src/firestore-emulator.ts';
import { askFake, askGoogle, QUESTIONS, RECORDED } from './engines.ts';

/** On a busy machine Google's engine needs minutes. */
const TIMEOUT_MS = 900_000;

const recorded = readFileSync(RECORDED, 'utf8').trimEnd().split('\n');
const files = findFirestoreEmulator();

test(`the fake answers ${QUESTIONS} questions as Google’s engine did`, { timeout: TIMEOUT_MS }, async () => {
  expect(await askFake()).toEqual(recorded);
});

if (typeof files !== 'string') {
  test('Google’s engine still answers as recorded', { timeout: TIMEOUT_MS }, async () => {
    expect(await askGoogle(files)).toEqual(recorded);
  });
}
