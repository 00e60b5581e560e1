/** Checks the package as published: the packed tarball, installed into a project. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KIT } from '../pack.ts';
import { run } from '../run.ts';
import { checkBundling } from './package/bundling.ts';
import { installInto, modulesOf, stylesOf } from './package/consumer.ts';
import { checkFiles, checkSourceMaps } from './package/files.ts';
import { checkDirectives, checkLoading } from './package/loading.ts';
import { checkReferences } from './package/references.ts';
import { checkTypes } from './package/types.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'early-access-kit-')));
try {
  const consumer = await installInto(folder);
  const { manifest, tarball } = consumer;
  const esmOnly = [...modulesOf(manifest)].filter(([, formats]) => !formats.includes('require')).map(([name]) => name);
  const attw = (profile: string, ...entries: string[]) =>
    tool('attw', [tarball, '--profile', profile, ...entries, '--no-emoji', '--no-color']);
  const complaints = [
    checkFiles(consumer),
    checkSourceMaps(consumer),
    checkDirectives(consumer),
    checkReferences(consumer),
    ...(await Promise.all([
      tool('publint', ['--strict', tarball]),
      attw('node16', '--exclude-entrypoints', ...[...esmOnly, ...stylesOf(manifest)].map(entryOf)),
      attw('esm-only', '--entrypoints', ...esmOnly.map(entryOf)),
      checkLoading(consumer),
      checkTypes(consumer),
      checkBundling(consumer),
    ])),
  ].flat();
  for (const complaint of complaints) console.error(`✗ ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tool(name: string, args: readonly string[]): Promise<string[]> {
  const { code, output } = await run('pnpm', ['exec', name, ...args], { cwd: KIT });
  return code === 0 ? [] : [`${name} ${args.join(' ')}\n${output}`];
}

function entryOf(module: string): string {
  return module.slice(module.indexOf('/') + 1);
}
