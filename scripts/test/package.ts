/** Checks the package of the working folder as published: packed into a tarball and installed into a project. */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CREATE, FIREBASE, KIT, SERVER } from '@early-access-kit/testkit/packages';
import { ROOT, run } from '../run.ts';
import { checkBundling } from './package/bundling.ts';
import { type Consumer, installInto, listModules } from './package/consumer.ts';
import { checkFiles, checkSourceMaps } from './package/files.ts';
import { checkLicenses } from './package/licenses.ts';
import { checkDirectives, checkLoading } from './package/loading.ts';
import { checkReferences } from './package/references.ts';
import { checkTypes } from './package/types.ts';

/** Maximum download size in bytes. */
const TARBALL_LIMITS: Readonly<Record<string, number>> = {
  [KIT]: 480_000,
  [SERVER]: 850_000,
  [FIREBASE]: 120_000,
  [CREATE]: 50_000,
};

const source = path.relative(ROOT, process.cwd());
const limit = TARBALL_LIMITS[source];
if (limit === undefined) throw new Error(`${source} is not a published package`);
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'early-access-package-')));
try {
  const consumer = await installInto(folder, source);
  const complaints = [
    checkFiles(consumer),
    checkSourceMaps(consumer),
    checkReferences(consumer),
    checkSize(consumer.tarball, limit),
    ...(await Promise.all([
      tool('publint', ['--strict', consumer.tarball]),
      ...attw(consumer),
      checkLicenses(consumer.manifest.name),
    ])),
    ...(source === KIT ? await checksOfLibrary(consumer) : []),
  ].flat();
  for (const complaint of complaints) console.error(`✗ ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Pages and servers import the kit, as ESM and CommonJS, with old and new compilers and bundlers. */
async function checksOfLibrary(consumer: Consumer): Promise<string[][]> {
  return [
    checkDirectives(consumer),
    ...(await Promise.all([checkLoading(consumer), checkTypes(consumer), checkBundling(consumer)])),
  ];
}

/** Checks that types resolve: entries with CommonJS in every way, the others from ES modules. */
function attw({ tarball, manifest }: Consumer): Promise<string[]>[] {
  const modules = [...listModules(manifest)];
  const [inBoth = [], esmOnly = []] = [true, false].map((both) =>
    modules.filter(([, formats]) => formats.includes('require') === both).map(([name]) => getEntry(name)),
  );
  const check = (profile: string, ...entries: string[]) =>
    tool('attw', [tarball, '--profile', profile, ...entries, '--no-emoji', '--no-color']);
  return [
    ...(inBoth.length > 0 ? [check('node16', '--entrypoints', ...inBoth)] : []),
    ...(esmOnly.length > 0 ? [check('esm-only', '--entrypoints', ...esmOnly)] : []),
  ];
}

function checkSize(tarball: string, limit: number): string[] {
  const { size } = statSync(tarball);
  return size > limit ? [`the tarball has ${size} bytes, at most ${limit}`] : [];
}

/** Runs a tool installed for the kit. */
async function tool(name: string, args: readonly string[]): Promise<string[]> {
  const { code, output } = await run('pnpm', ['exec', name, ...args], { cwd: KIT });
  return code === 0 ? [] : [`${name} ${args.join(' ')}\n${output}`];
}

/** `early-access-kit/core` is the entry `core`; the root is `.`. */
function getEntry(module: string): string {
  return module.includes('/') ? module.slice(module.indexOf('/') + 1) : '.';
}
