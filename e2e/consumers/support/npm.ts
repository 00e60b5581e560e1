import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Running, startProcess } from '@early-access-kit/testkit/child-process';
import { inFolder } from './install.ts';

/** Installs the packed server and kit with npm, in an empty folder outside the repository. Returns the folder. */
export async function installServer(...flags: readonly string[]): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'early-access-npm-')));
  const { KIT_TARBALL = '', SERVER_TARBALL = '' } = process.env;
  await inFolder({ folder }, 'npm', 'install', '--no-audit', '--no-fund', ...flags, KIT_TARBALL, SERVER_TARBALL);
  return folder;
}

/** npm needs these variables. The server gets no other settings of this machine. */
const { PATH, HOME } = process.env;

export interface NpxServer {
  readonly origin: string;
  readonly running: Running;
  /** Presses Ctrl+C, which a terminal sends to all programs of the command. Returns the server's last output. */
  interrupt(): Promise<string>;
}

/** Runs `npx early-access-server` in the folder, on a free port. */
export async function npxServer(folder: string, env: NodeJS.ProcessEnv = {}): Promise<NpxServer> {
  const running = startProcess(['npx', 'early-access-server'], {
    cwd: folder,
    env: { PATH, HOME, PORT: '0', ...env },
    detached: true,
  });
  const origin = await running.printedMatch('stdout', /^Serving +(http:\S+)$/m);
  return {
    origin,
    running,
    async interrupt() {
      process.kill(-(running.process.pid ?? 0), 'SIGINT');
      return (await running.finished).stderr;
    },
  };
}

/** Runs the installed command to its end. */
export function runInstalled(installed: Installed, args: readonly string[], env?: NodeJS.ProcessEnv) {
  return startInstalled(installed, args, env).finished;
}

interface Installed {
  readonly folder: string;
  /** The working folder. Default: the installation's. */
  readonly cwd?: string;
  /** A program that runs the command, such as another Node. */
  readonly through?: readonly string[];
}

/** Starts the installed command. */
export function startInstalled(
  { folder, cwd = folder, through = [] }: Installed,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Running {
  const command = path.join(folder, 'node_modules/.bin/early-access-server');
  return startProcess([...through, command, ...args], { cwd, env: { PATH, PORT: '0', ...env } });
}

/** Installs another version of Node into the folder, such as `22.16.0`. Returns its path. */
export async function installNode(folder: string, version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await inFolder({ folder }, 'npm', ...install, `${name}@${version}`);
  return path.join(folder, 'node_modules', name, 'bin/node');
}
