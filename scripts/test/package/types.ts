import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '../../pack.ts';
import { ROOT, run } from '../../run.ts';
import { type Consumer, modulesOf } from './consumer.ts';

/** What a consumer may write, one file for the entries of each kind. */
const SOURCES = path.join(ROOT, KIT, 'test', 'consumer');
const ESM_ONLY = 'testing.ts';

const COMPILER = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  jsx: 'react-jsx',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // The package's declarations are what is checked.
  skipLibCheck: false,
  noEmit: true,
};

const RESOLUTIONS = [
  { name: 'bundler', type: 'module', module: 'ESNext', moduleResolution: 'bundler' },
  { name: 'node16-esm', type: 'module', module: 'node16', moduleResolution: 'node16' },
  { name: 'node16-cjs', type: 'commonjs', module: 'node16', moduleResolution: 'node16' },
];

/** The declarations compile in a strict consumer, however it resolves modules. */
export async function checkTypes({ folder, manifest }: Consumer): Promise<string[]> {
  const files = readdirSync(SOURCES);
  const text = files.map((file) => readFileSync(path.join(SOURCES, file), 'utf8')).join('\n');
  const unused = [...modulesOf(manifest).keys()].filter((name) => !text.includes(`'${name}'`));
  const complaints = unused.map((name) => `test/consumer/ uses nothing of ${name}`);
  for (const { name, type, module, moduleResolution } of RESOLUTIONS) {
    const project = path.join(folder, name);
    mkdirSync(project);
    writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type }));
    const compilerOptions = { ...COMPILER, module, moduleResolution };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
    for (const file of files.filter((source) => type === 'module' || source !== ESM_ONLY)) {
      copyFileSync(path.join(SOURCES, file), path.join(project, file));
    }
    const { code, output } = await run('tsc', ['--pretty', 'false', '--project', project]);
    if (code !== 0) complaints.push(`declarations under ${name}:\n${output}`);
  }
  return complaints;
}
