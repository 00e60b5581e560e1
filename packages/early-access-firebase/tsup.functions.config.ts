import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import * as parameters from './src/functions/params.ts';

/**
 * What `firebase deploy` uploads: one file, and what `deployed/` adds. Google's build installs its own libraries but does not support
 * workspaces, so everything else is bundled. The format is CommonJS because the mail library loads Node's modules with `require`.
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
    external: [/^firebase-admin/, /^firebase-functions/],
    async onSuccess() {
      cpSync('deployed', outDir, { recursive: true });
      writeFileSync(join(outDir, 'defaults.env'), defaults());
    },
  };
});

/** `firebase deploy` asks for each parameter that no file has a value of, and without a terminal it fails, even if there is a default. */
function defaults(): string {
  const lines = Object.values(parameters).map((parameter) => {
    const { name, options } = parameter ?? { name: '', options: {} };
    return 'default' in options && options.default !== undefined ? `${name}=${options.default}\n` : '';
  });
  return lines.join('');
}
