import { writeFileSync } from 'node:fs';
import { findFirestoreEmulator } from '../../../testkit/src/firestore-emulator.ts';
import { askGoogle, QUESTIONS, RECORDED } from './engines.ts';

// Records what Google's engine answers: `npm run pnpm -- --filter @early-access-kit/firestore-fake record`.
// Stops Google's client from looking for a cloud.
process.env.METADATA_SERVER_DETECTION = 'none';
const files = findFirestoreEmulator();
if (typeof files === 'string') throw new Error(`Google's Firestore emulator cannot be started: ${files}`);
const lines = await askGoogle(files);
writeFileSync(RECORDED, `${lines.join('\n')}\n`);
process.stdout.write(`Recorded the answers to ${QUESTIONS} questions.\n`);
