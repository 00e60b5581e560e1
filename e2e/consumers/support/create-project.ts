import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { startRegistry } from '@early-access-kit/testkit/registry';

/** A project created with `npm create early-access` from the packed packages, and installed outside the repository. */
export interface CreatedProject {
  readonly project: string;
  /** The environment for npm and other programs that install packages. */
  readonly env: NodeJS.ProcessEnv;
}

export async function createProject(
  atTheEnd: (undo: () => Promise<unknown>) => void,
  flags: readonly string[],
): Promise<CreatedProject> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'early-access-create-')));
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  // The cache is empty, as on a new machine.
  const env = await npmWithPacked(atTheEnd, { cache: path.join(folder, 'cache') });
  const create = ['npm', 'create', 'early-access', 'my-app', '--', ...flags];
  const { code, stdout, stderr } = await startProcess(create, { env, cwd: folder }).finished;
  if (code !== 0) throw new Error(`${create.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return { project: path.join(folder, 'my-app'), env };
}

/** Returns the environment of an npm to which the packed packages are published. */
export async function npmWithPacked(
  atTheEnd: (undo: () => Promise<unknown>) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<NodeJS.ProcessEnv> {
  const { KIT_TARBALL = '', SERVER_TARBALL = '', FIREBASE_TARBALL = '', CREATE_TARBALL = '' } = process.env;
  const registry = await startRegistry([KIT_TARBALL, SERVER_TARBALL, FIREBASE_TARBALL, CREATE_TARBALL]);
  atTheEnd(registry.close);
  const all = { registry: registry.origin, yes: 'true', ...settings };
  const npm = Object.fromEntries(Object.entries(all).map(([name, value]) => [`npm_config_${name}`, value]));
  // Without variables set by the package manager that runs the tests.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_|^NODE_ENV$/i.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: '1', ...npm };
}
