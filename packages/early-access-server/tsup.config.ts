import { cp } from 'node:fs/promises';
import { replaceByCompressed } from '@early-access-kit/testkit/precompress';
import { defineConfig } from 'tsup';

const entries = {
  index: 'src/index.ts',
  internal: 'src/internal.ts',
  mail: 'src/mail/templates/template.ts',
  client: 'src/client.ts',
  'better-auth': 'src/better-auth.ts',
  supabase: 'src/supabase.ts',
  sqlite: 'src/sqlite.ts',
  store: 'src/store.ts',
  postgres: 'src/postgres.ts',
  testing: 'src/testing.ts',
};

export default defineConfig({
  // `checkpoint-thread` is started by the SQLite store as a thread and must lie beside it.
  entry: { ...entries, cli: 'src/cli.ts', 'checkpoint-thread': 'src/stores/sqlite/checkpoint-thread.ts' },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  clean: true,
  // Shorter to download, and lines and names stay for stack traces.
  esbuildOptions(options) {
    options.minifySyntax = true;
  },
  dts: { entry: entries },
  // esbuild would strip the prefix, and `sqlite` exists under `node:` only.
  removeNodeProtocol: false,
  // The admin's dashboard, served at /admin. The manifest is for the size check only.
  async onSuccess() {
    await cp('../dashboard/dist', 'dist/dashboard', { recursive: true, filter: (file) => !file.endsWith('.vite') });
    replaceByCompressed('dist/dashboard');
  },
});
