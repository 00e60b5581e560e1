/**
 * Replaces `docker build` and `docker compose up`, which the workflow `container` runs, on a machine without Docker's
 * daemon. Runs the Dockerfile's commands with the restrictions of compose.yaml: read-only except for the data and /tmp,
 * a user other than root, no capabilities. The root folder only contains Node, its libraries and the installed server,
 * less than any image. Requires root on Linux.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Running, startProcess } from '@early-access-kit/testkit/child-process';
import { freePort } from '@early-access-kit/testkit/http-server';
import { signUpMany } from './support/load.ts';
import { installServer, runInstalled } from './support/npm.ts';
import { expect, test } from './support/test.ts';

const MEMORY_MB = 256;
const SIGNUPS = 20_000;
/** Any id except root's. It does not have to be a user of the machine. */
const USER = 1_000;
const NODE = '/usr/local/bin/node';
const { PATH } = process.env;

const canUnshare = () => spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;
const describe = process.getuid?.() === 0 && canUnshare() ? test.describe : () => {};

/** Returns the commands of a Dockerfile in exec form, and its environment. */
function readDockerfile(file: string) {
  const lines = readFileSync(file, 'utf8').replaceAll('\\\n', ' ').split('\n');
  const readArgument = (name: string) =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const readCommand = (name: string): string[] => JSON.parse(readArgument(name).replace(/^[^[]*/, '')).slice(1);
  return { env: readArgument('ENV').split(' '), command: readCommand('CMD'), healthCheck: readCommand('HEALTHCHECK') };
}

/** Fills an empty root folder. The packages are installed in its `/app`. */
async function makeRoot(root: string, installed: string): Promise<void> {
  for (const folder of ['app', 'data', 'tmp', 'proc', 'dev']) mkdirSync(path.join(root, folder), { recursive: true });
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const library of libraries) await cp(library, path.join(root, library), { dereference: true });
  await cp(process.execPath, path.join(root, NODE), { dereference: true });
  await cp(path.join(installed, 'node_modules'), path.join(root, 'app/node_modules'), { recursive: true });
  for (const device of ['null', 'urandom']) writeFileSync(path.join(root, 'dev', device), '');
  mkdirSync(`${root}-data`);
  chownSync(`${root}-data`, USER, USER);
}

/** Mounts the folders in a new namespace: `$0` is the root, `$1` the data, and the rest is the command. */
const MOUNT = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount --bind "$1" "$0/data" &&
  mount -t tmpfs tmpfs "$0/tmp" && mount -t proc proc "$0/proc" &&
  mount --bind /dev/null "$0/dev/null" && mount --bind /dev/urandom "$0/dev/urandom" && shift && exec env -i "$@"`;

/** Returns the value of a line in /proc/PID/status. */
function readProcessStatus(pid: number, name: string): string {
  return new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}

describe('the container of `init --docker`', () => {
  let running: Running;
  let pid: number;
  let origin: string;
  let checkHealth: () => Promise<number | null>;

  test.beforeAll(async ({ atTheEnd }) => {
    const folder = await installServer('--omit=dev', '--ignore-scripts');
    atTheEnd(() => rm(folder, { recursive: true, force: true }));
    expect((await runInstalled({ folder }, ['init', '--docker'])).code).toBe(0);
    const { env, command, healthCheck } = readDockerfile(path.join(folder, 'Dockerfile'));
    const root = path.join(folder, 'root');
    await makeRoot(root, folder);
    const port = await freePort();
    const settings = [...env, 'HOST=127.0.0.1', `PORT=${port}`, 'TRUST_PROXY=1', 'ADMIN_EMAIL=admin@example.com'];
    const inside = (args: readonly string[]) => [
      ...[...settings, 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'setpriv', '--no-new-privs'],
      ...['chroot', `--userspec=${USER}:${USER}`, root, NODE],
      ...args.map((arg) => arg.replace(/^node_modules\//, '/app/$&')),
    ];
    const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', MOUNT, root, `${root}-data`];
    running = startProcess([...unshare, ...inside(command)], { env: { PATH } });
    atTheEnd(() => running.end('SIGKILL'));
    origin = await running.printedMatch('stdout', /^Serving +(http:\S+)$/m);
    const outside = running.process.pid ?? 0;
    pid = Number(readFileSync(`/proc/${outside}/task/${outside}/children`, 'utf8'));
    const enter = ['nsenter', '--target', String(pid), '--mount', '--pid', 'env', '-i', ...inside(healthCheck)];
    checkHealth = async () => (await startProcess(enter, { env: { PATH } }).finished).code;
  });

  test('runs the server as process 1, without privileges, and only the data and /tmp can be written', () => {
    expect(readProcessStatus(pid, 'NSpid')).toMatch(/\s1$/);
    expect(readProcessStatus(pid, 'Uid')).toMatch(/^1000\s/);
    expect(Number.parseInt(readProcessStatus(pid, 'CapEff'), 16)).toBe(0);
    expect(readProcessStatus(pid, 'NoNewPrivs')).toBe('1');
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
    const writable = mounts.flatMap((line) => /^(?:\S+ ){4}(\S+) rw\b/.exec(line)?.[1] ?? []);
    expect(writable.sort()).toEqual(['/data', '/dev/null', '/dev/urandom', '/proc', '/tmp']);
  });

  test('is healthy and within its memory limit while signups arrive at full speed', async () => {
    const loaded = signUpMany(origin, SIGNUPS);
    let isLoaded = false;
    void loaded.finally(() => {
      isLoaded = true;
    });
    do expect(await checkHealth()).toBe(0);
    while (!isLoaded);
    expect(await loaded).toBe(SIGNUPS);
    expect(Number.parseInt(readProcessStatus(pid, 'VmHWM'), 10) / 1_024).toBeLessThan(MEMORY_MB);
  });

  test('exits with 0 on SIGTERM', async () => {
    process.kill(pid, 'SIGTERM');
    const { code, stderr } = await running.finished;
    expect(code).toBe(0);
    expect(stderr).toMatch(/"event":"stopped"}\n$/);
  });
});
