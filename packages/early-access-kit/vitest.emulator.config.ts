import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.shared.ts';

if (!process.env.FIRESTORE_EMULATOR_HOST) {
  throw new Error('No emulator: run `npm run test:emulator`, which starts one and sets FIRESTORE_EMULATOR_HOST.');
}

/** What is held to the rules, on Google's emulator. The files share its one database, so that they run one after the other. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    ...patience,
    name: 'on the Firestore emulator',
    include: ['test/firestore/rules-*.test.ts', 'test/firestore/contract.test.ts'],
    fileParallelism: false,
  },
});
