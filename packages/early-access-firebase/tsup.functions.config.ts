import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { parameterFile } from './src/functions/parameter-file.ts';

/**
 * Builds the folder that `firebase deploy` uploads: one file and the content of `deployed/`. Google's build installs
 * its own libraries but does not support workspaces, so everything else is bundled. The format is CommonJS because the
 * mail library loads Node's modules with `require`.
 */
export default defineConfig((options) => {
  const outDir = options.outDir ?? 'dist-functions';
  return {
    entry: { main: 'src/functions/main.ts' },
    outDir,
    format: 'cjs',
    target: 'node22',
    platform: 'node',
    sourcemap: true,
    clean: true,
    dts: false,
    noExternal: ['early-access-kit', 'early-access-server', /^@early-access-kit\//, 'nodemailer'],
    // MCP users install its package beside the functions. The functions have no metrics.
    external: [/^firebase-admin/, /^firebase-functions/, /^@modelcontextprotocol\//, 'prom-client'],
    async onSuccess() {
      cpSync('deployed', outDir, { recursive: true });
      writeFileSync(join(outDir, 'defaults.env'), parameterFile());
    },
  };
});
