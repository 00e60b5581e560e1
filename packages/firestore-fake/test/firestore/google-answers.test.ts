import { expect, test } from 'vitest';
import { findFirestoreEmulator } from '../../../testkit/src/firestore-emulator.ts';
import { askGoogle, readRecorded } from '../recorded/engines.ts';

const files = findFirestoreEmulator();

// Skipped without the emulator.
test.skipIf(typeof files === 'string')('Google’s engine still answers as recorded', async () => {
  if (typeof files !== 'string') expect(await askGoogle(files)).toEqual(readRecorded());
});
