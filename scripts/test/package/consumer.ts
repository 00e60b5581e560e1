import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type ExportTarget, expandEntries } from '@early-access-kit/testkit/entries';
import { packPackage } from '@early-access-kit/testkit/packages';
import { ROOT, runOrExit } from '../../run.ts';

/** A project with a packed package in npm's layout, and the dependencies and peers that it is tested with. */
export interface Consumer {
  readonly folder: string;
  readonly tarball: string;
  readonly manifest: Manifest;
  /** Paths of the package's files, relative to it, sorted. */
  readonly files: readonly string[];
  read(file: string): string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly sideEffects?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  /** Patterns are expanded. */
  readonly exports: Readonly<Record<string, ExportTarget>>;
}

const PEERS = ['react', 'react-dom', 'vitest', '@types/react', '@types/react-dom'];

/** Packs the package in `source` and installs it into a folder. */
export async function installInto(folder: string, source: string): Promise<Consumer> {
  const tarball = await packPackage(source, folder);
  const modules = path.join(folder, 'node_modules');
  const installed = path.join(modules, path.basename(source));
  mkdirSync(installed, { recursive: true });
  await runOrExit('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const peer of PEERS.filter((name) => existsSync(path.join(ROOT, source, 'node_modules', name)))) {
    mkdirSync(path.dirname(path.join(modules, peer)), { recursive: true });
    symlinkSync(path.join(ROOT, source, 'node_modules', peer), path.join(modules, peer));
  }
  const read = (file: string) => readFileSync(path.join(installed, file), 'utf8');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(installed, file)).isFile())
    .sort();
  const manifest = JSON.parse(read('package.json'));
  const exports = expandEntries(manifest.exports, path.join(installed, 'dist'));
  return { folder, tarball, manifest: { ...manifest, exports }, files, read };
}

/** Returns the exported modules by specifier, with the formats of each. */
export function listModules({ name, exports }: Manifest): Map<string, readonly ('import' | 'require')[]> {
  const modules = Object.entries(exports).filter(
    ([, target]) => !listFiles(target).some((file) => !/\.[cm]?[jt]s$/.test(file)),
  );
  return new Map(
    modules.map(([entry, target]) => [
      name + entry.slice(1),
      (['import', 'require'] as const).filter((format) => typeof target !== 'string' && format in target),
    ]),
  );
}

/** Returns the specifiers of exported stylesheets. */
export function listStyles({ name, exports }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([, target]) => listFiles(target).some((file) => file.endsWith('.css')))
    .map(([entry]) => name + entry.slice(1));
}

export function listFiles(target: ExportTarget): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(listFiles);
}
