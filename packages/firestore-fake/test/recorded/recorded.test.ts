import { expect, test } from 'vitest';
import { askFake, QUESTIONS, readRecorded } from './engines.ts';

test(`the fake answers ${QUESTIONS} questions as Google’s engine did`, async () => {
  expect(await askFake()).toEqual(readRecorded());
});
