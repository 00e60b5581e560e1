import { readFileSync } from 'node:fs';
import path from 'node:path';

type Entries = Readonly<Record<string, string | null>>;

/** The fields of a template's package.json. */
export interface Manifest {
  readonly scripts?: Entries;
  readonly dependencies?: Entries;
  readonly devDependencies?: Entries;
  readonly [field: string]: unknown;
}

const OWN = ['early-access-firebase', 'early-access-kit', 'early-access-server'];
const PACKAGES = path.resolve(import.meta.dirname, '../..');

/** Merges two manifests. The second takes precedence, and its null entries remove those of the first. */
export function merged(manifest: Manifest, other: Manifest): Manifest {
  const entries = (['scripts', 'dependencies', 'devDependencies'] as const).flatMap((field) =>
    manifest[field] || other[field] ? [[field, sorted({ ...manifest[field], ...other[field] })] as const] : [],
  );
  return { ...manifest, ...other, ...Object.fromEntries(entries) };
}

/**
 * Returns the manifest of a project: without the example's own name and settings, with our packages' current versions.
 */
export function releasedManifest(example: Manifest): Manifest {
  const { description, license, ...manifest } = example;
  const released = Object.entries(manifest.dependencies ?? {}).map(([name, version]) =>
    OWN.includes(name) ? ([name, `^${readVersion(name)}`] as const) : ([name, version] as const),
  );
  const dependencies = Object.fromEntries(released);
  return { ...manifest, name: '{{name}}', version: '0.0.0', private: true, dependencies };
}

function readVersion(name: string): string {
  const manifest: { version: string } = JSON.parse(readFileSync(path.join(PACKAGES, name, 'package.json'), 'utf8'));
  return manifest.version;
}

function sorted(entries: Entries): Entries {
  const given = Object.entries(entries).filter(([, value]) => value !== null);
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
