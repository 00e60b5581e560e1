import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const EXAMPLES = path.resolve(import.meta.dirname, '../../../examples');
const LOCKS = path.resolve(import.meta.dirname, '../locks');
const DEPENDENCIES = ['dependencies', 'devDependencies'] as const;

type Manifest = Partial<Record<(typeof DEPENDENCIES)[number], Record<string, string>>>;

export interface Installation {
  /** The name of a folder in `examples/`. */
  readonly example: string;
  /** Overrides of the example's versions, and the name of the lockfile for them. */
  readonly variant?: { readonly name: string; readonly versions: Versions };
}

type Versions = Readonly<Record<string, string>>;

/** Copies an example outside the repository, so that it cannot resolve the repository's packages by accident. */
export async function copyExample({ example, variant }: Installation, packed: Versions = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), `early-access-${example}-`)));
  await cp(path.join(EXAMPLES, example), folder, {
    recursive: true,
    filter: (file) => !/\/(node_modules|dist|build|data|\.svelte-kit|\.next|\.astro|\.react-router)$/.test(file),
  });
  const file = path.join(folder, 'package.json');
  const manifest: Manifest = JSON.parse(await readFile(file, 'utf8'));
  for (const kind of DEPENDENCIES) {
    const versions = manifest[kind] ?? {};
    for (const name of Object.keys(versions)) {
      const version = packed[name] ?? variant?.versions[name];
      if (version !== undefined) versions[name] = version;
      else if (name.startsWith('early-access-')) delete versions[name];
    }
  }
  await writeFile(file, JSON.stringify(manifest));
  // Makes it a separate workspace, whatever its parent folders contain. The server's package depends on the kit's.
  const overrides = manifest.dependencies?.['early-access-server'] ? packed : {};
  await writeFile(path.join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ packages: [], overrides }));
  return folder;
}

/** Installs a copy of an example with the packed packages, by name, and the versions in its lockfile. */
export async function installExample(installation: Installation, packed: Versions): Promise<string> {
  const folder = await copyExample(installation, packed);
  await cp(locateLockFile(installation), path.join(folder, 'pnpm-lock.yaml'));
  await inFolder(
    // pnpm would skip the dependencies of the build in production mode.
    { folder, env: { NODE_ENV: 'development' } },
    'pnpm',
    'install',
    '--prefer-offline',
    '--no-frozen-lockfile',
    '--ignore-scripts',
  );
  return folder;
}

/** Updates the lockfile of an example. It does not contain the packages themselves, because each run packs new ones. */
export async function updateLock(installation: Installation): Promise<void> {
  const folder = await copyExample(installation);
  await inFolder({ folder }, 'pnpm', 'install', '--lockfile-only');
  await cp(path.join(folder, 'pnpm-lock.yaml'), locateLockFile(installation));
  await rm(folder, { recursive: true });
}

/** Runs a program in a folder in production mode. If it fails, rejects with its output. */
export async function inFolder(
  { folder, env = {} }: { folder: string; env?: NodeJS.ProcessEnv },
  program: string,
  ...args: string[]
): Promise<void> {
  const settings = { NODE_ENV: 'production', CI: '1', NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };
  try {
    await promisify(execFile)(program, args, {
      cwd: folder,
      env: { ...process.env, ...settings, ...env },
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    const output =
      error instanceof Error && 'stdout' in error && 'stderr' in error ? `${error.stdout}${error.stderr}` : '';
    throw new Error(`${program} ${args.join(' ')} failed in ${folder}:\n${output}`, { cause: error });
  }
}

function locateLockFile({ example, variant }: Installation): string {
  return path.join(LOCKS, `${variant?.name ?? example}.yaml`);
}
