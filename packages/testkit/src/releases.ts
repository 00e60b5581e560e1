import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { KIT, SERVER } from './packages.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const RELEASES_FOLDER = path.join(ROOT, 'e2e/compatibility');
const CACHE = path.join(ROOT, 'node_modules/.cache/releases');
/** The packages of a release, each with the workspace package whose dependencies it uses. */
const PACKED = { 'early-access-kit': KIT, 'early-access-server': SERVER };

/** A published release whose packages and data are in the repository, to test the next one for compatibility. */
export interface Release {
  readonly version: string;
  /** Contains its database, browser data and packed packages. */
  readonly folder: string;
  /** Its `node_modules` folder. */
  readonly modules: string;
  /** The path of its server's program. */
  readonly program: string;
}

/** Returns the versions of all releases in the repository. */
export function listReleases(): string[] {
  return readdirSync(RELEASES_FOLDER).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
}

export function locateRelease(version: string): string {
  return path.join(RELEASES_FOLDER, version);
}

/**
 * Unpacks the packages of a release as npm would install them, with the workspace's copies of their dependencies,
 * because tests run without a registry.
 */
export function unpackRelease(version: string): Release {
  const folder = locateRelease(version);
  const hash = createHash('sha256');
  for (const name of Object.keys(PACKED)) hash.update(readFileSync(path.join(folder, `${name}.tgz`)));
  const unpacked = path.join(CACHE, `${version}-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(unpacked)) {
    const unfinished = `${unpacked}.${process.pid}`;
    try {
      for (const [name, source] of Object.entries(PACKED)) {
        const target = path.join(unfinished, 'node_modules', name);
        mkdirSync(target, { recursive: true });
        execFileSync('tar', ['-xzf', path.join(folder, `${name}.tgz`), '--strip-components=1', '-C', target]);
        linkDependencies(target, path.join(ROOT, source, 'node_modules'));
      }
      if (!existsSync(unpacked)) renameSync(unfinished, unpacked);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  const modules = path.join(unpacked, 'node_modules');
  return { version, folder, modules, program: path.join(modules, 'early-access-server/dist/cli.js') };
}

function linkDependencies(target: string, installed: string): void {
  const manifest: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
    readFileSync(path.join(target, 'package.json'), 'utf8'),
  );
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
    (name) => !(name in PACKED),
  );
  for (const name of names) {
    const dependency = path.join(installed, name);
    if (!existsSync(dependency)) {
      if (manifest.peerDependencies?.[name] !== undefined) continue;
      throw new Error(
        `${manifest.name} of an earlier release needs ${name}: add it to the devDependencies of the package`,
      );
    }
    const link = path.join(target, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(dependency, link);
  }
}
