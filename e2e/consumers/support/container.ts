import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { chown, cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Running, startProcess } from '@early-access-kit/testkit/child-process';

/** The instructions of a Dockerfile that decide how its container runs. */
export interface Image {
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly workdir: string;
  readonly volume: string;
}

export function readDockerfile(text: string): Image {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const findArgument = (name: string) =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const parseList = (value: string): readonly string[] => JSON.parse(value.slice(value.indexOf('[')));
  return {
    env: Object.fromEntries(
      findArgument('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    ),
    command: parseList(findArgument('CMD')),
    healthCheck: parseList(findArgument('HEALTHCHECK')),
    workdir: findArgument('WORKDIR'),
    volume: findArgument('VOLUME'),
  };
}

export interface Container {
  readonly running: Running;
  /** The program that is process 1 inside. */
  pid(): number;
  /** Runs the health check inside. Returns its exit code. */
  checkHealth(): Promise<number | null>;
  /** Ends what still runs. */
  remove(): Promise<void>;
}

/** Any id but root's; no user of the machine needs to have it. */
const USER = 1_000;
const NODE = '/usr/local/bin/node';
/** As in Docker's images. */
const IMAGE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const { PATH } = process.env;

/**
 * Fills an empty root: Node, the libraries that it loads, the installed server, and nothing else. Images of other distributions have more,
 * so what runs here runs there.
 */
export async function makeRoot(root: string, { workdir, volume }: Image, installed: string): Promise<void> {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const folder of [workdir, volume, '/tmp', '/proc', '/dev'])
    mkdirSync(path.join(root, folder), { recursive: true });
  await cp(process.execPath, path.join(root, NODE), { dereference: true });
  for (const library of libraries) await cp(library, path.join(root, library), { dereference: true });
  await cp(path.join(installed, 'node_modules'), path.join(root, workdir, 'node_modules'), { recursive: true });
  for (const device of ['null', 'urandom']) writeFileSync(path.join(root, 'dev', device), '');
}

/** Whether this process may make containers: root on Linux. */
export const CAN_CONTAIN =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

interface ContainerOptions {
  /** Made by `makeRoot`. */
  readonly root: string;
  readonly image: Image;
  /** Settings besides the image's. */
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
}

/** Starts the image's command as Docker does with `--read-only --tmpfs /tmp --cap-drop ALL --memory`, on the network of this machine. */
export async function startContainer({ root, image, env, memoryMb }: ContainerOptions): Promise<Container> {
  const data = `${root}-data`;
  await mkdir(data);
  await chown(data, USER, USER);
  const settings = Object.entries({ ...image.env, ...env, PATH: IMAGE_PATH }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const group = memoryGroup(memoryMb);
  const inside = (command: readonly string[]) => [
    ...['setpriv', '--no-new-privs', 'chroot', `--userspec=${USER}:${USER}`, root],
    ...[
      NODE,
      ...command.slice(1).map((arg) => (arg.startsWith('node_modules/') ? path.join(image.workdir, arg) : arg)),
    ],
  ];
  const mounts = `${group && `echo $$ > "${group}/cgroup.procs" && `}
    mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount --bind "$1" "$0${image.volume}" &&
    mount -t tmpfs tmpfs "$0/tmp" && mount -t proc proc "$0/proc" &&
    mount --bind /dev/null "$0/dev/null" && mount --bind /dev/urandom "$0/dev/urandom" && shift && exec env -i "$@"`;
  const running = startProcess(
    [
      ...['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts, root, data],
      ...[...settings, ...inside(image.command)],
    ],
    { env: { PATH } },
  );
  const pid = () => {
    const { pid = 0 } = running.process;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  };
  return {
    running,
    pid,
    async checkHealth() {
      const check = [
        '--target',
        String(pid()),
        '--mount',
        '--pid',
        'env',
        '-i',
        ...settings,
        ...inside(image.healthCheck),
      ];
      const enter = `${group && `echo $$ > "${group}/cgroup.procs" && `} exec nsenter "$@"`;
      const { code } = await startProcess(['sh', '-c', enter, 'sh', ...check], { env: { PATH } }).finished;
      return code;
    },
    async remove() {
      await running.end('SIGKILL');
      if (group) rmdirSync(group);
    },
  };
}

/** Creates a control group with a memory limit. Returns an empty string if this machine does not allow it. */
function memoryGroup(megabytes: number): string {
  const isFirstVersion = existsSync('/sys/fs/cgroup/memory');
  const group = path.join('/sys/fs/cgroup', isFirstVersion ? 'memory' : '', `early-access-${process.pid}`);
  const limit = path.join(group, isFirstVersion ? 'memory.limit_in_bytes' : 'memory.max');
  try {
    mkdirSync(group, { recursive: true });
    if (!statSync(limit).isFile()) return '';
    writeFileSync(limit, String(megabytes * 1_048_576));
    return group;
  } catch {
    return '';
  }
}
