import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '@early-access-kit/testkit/packages';
import { ROOT, run } from '../../run.ts';
import { type Consumer, listModules } from './consumer.ts';

/** Example code of consumers, one file per kind of entry. */
const SOURCES = path.join(ROOT, KIT, 'test', 'consumer');
const ESM_ONLY = 'testing.ts';
/** Vitest's own declarations need a newer compiler than 5.4. */
const WITHOUT_VITEST = ['5.4'];
const COMPILERS = path.join(ROOT, 'packages/testkit/compilers/node_modules');
const VERSIONS = ['5.4', '5.9', '6', '7'];

const COMPILER = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  jsx: 'react-jsx',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // Only the package's declarations are checked.
  skipLibCheck: false,
  noEmit: true,
};

const RESOLUTIONS = [
  { name: 'bundler', type: 'module', module: 'ESNext', moduleResolution: 'bundler' },
  { name: 'node16-esm', type: 'module', module: 'node16', moduleResolution: 'node16' },
  { name: 'node16-cjs', type: 'commonjs', module: 'node16', moduleResolution: 'node16' },
];

/**
 * Checks that the declarations compile in strict mode with every module resolution, with the oldest supported
 * TypeScript and the newest.
 */
export async function checkTypes({ folder, manifest }: Consumer): Promise<string[]> {
  const files = readdirSync(SOURCES);
  const text = files.map((file) => readFileSync(path.join(SOURCES, file), 'utf8')).join('\n');
  const unused = [...listModules(manifest).keys()].filter(
    (name) => !name.endsWith('/internal') && !text.includes(`'${name}'`),
  );
  const complaints = unused.map((name) => `test/consumer/ uses nothing of ${name}`);
  for (const { name, type, module, moduleResolution } of RESOLUTIONS) {
    for (const version of VERSIONS) {
      const project = path.join(folder, `${name}-${version}`);
      mkdirSync(project);
      writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type }));
      // On by default from TypeScript 6: an unresolved `import 'x.css'` is an error.
      const strictImports = version === '5.4' ? {} : { noUncheckedSideEffectImports: true };
      const compilerOptions = { ...COMPILER, ...strictImports, module, moduleResolution };
      writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*'] }));
      const hasVitest = type === 'module' && !WITHOUT_VITEST.includes(version);
      for (const file of files.filter((source) => hasVitest || source !== ESM_ONLY)) {
        copyFileSync(path.join(SOURCES, file), path.join(project, file));
      }
      const tsc = path.join(COMPILERS, `typescript-${version}`, 'bin/tsc');
      const { code, output } = await run(process.execPath, [tsc, '--pretty', 'false', '--project', project]);
      if (code !== 0) complaints.push(`declarations under ${name} and TypeScript ${version}:\n${output}`);
    }
  }
  return complaints;
}
