import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import manifest from './package.json' with { type: 'json' };

const { 'firebase-admin': admin, 'firebase-functions': functions } = manifest.dependencies;

/**
 * What `firebase deploy` uploads: one file. Google's build installs the two libraries but does not support workspaces, so everything
 * else is bundled. The format is CommonJS because the mail library loads Node's modules with `require`.
 */
export default defineConfig((options) => {
  const outDir = options.outDir ?? 'dist';
  return {
    entry: { main: 'src/main.ts' },
    outDir,
    format: 'cjs',
    target: 'node22',
    platform: 'node',
    sourcemap: true,
    clean: true,
    dts: false,
    noExternal: ['early-access-kit', 'early-access-server', /^@early-access-kit\//, 'nodemailer'],
    external: [/^firebase-admin/, /^firebase-functions/],
    async onSuccess() {
      mkdirSync(outDir, { recursive: true });
      const deployed = {
        name: 'early-access-functions',
        private: true,
        main: 'main.cjs',
        engines: { node: '22' },
        dependencies: { 'firebase-admin': admin, 'firebase-functions': functions },
      };
      writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(deployed, null, 2)}\n`);
    },
  };
});
