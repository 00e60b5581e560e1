import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'firestore-standin', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 20_000 },
});
