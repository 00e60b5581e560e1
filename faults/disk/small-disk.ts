import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { report } from '@early-access-kit/testkit/fault-runs';
import { onTestFinished } from 'vitest';

/** A disk that is nearly full, for one process. */
export interface SmallDisk {
  /** What the process is started through. */
  readonly through: readonly string[];
  /** Copies a database of the process to where others can open it, as it would lie there after a crash at this moment. */
  snapshot(pid: number, file: string): string;
  /** Makes room, while the process runs. */
  free(pid: number): void;
}

const MIB = 1_048_576;

/** A file system of two megabytes at `folder`, as only the process sees it. */
function smallFileSystem(folder: string): SmallDisk {
  const ballast = join(folder, 'ballast');
  const mount = `mount -t tmpfs -o size=2m tmpfs "$0" && head -c ${1.5 * MIB} /dev/zero > "$0/ballast" && exec "$@"`;
  const reachable = (pid: number, path: string) => join(`/proc/${pid}/root`, path);
  return {
    through: ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, folder],
    snapshot(pid, file) {
      const copy = join(mkdtempSync(join(tmpdir(), 'early-access-snapshot-')), basename(file));
      onTestFinished(() => rmSync(dirname(copy), { recursive: true, force: true }));
      process.kill(pid, 'SIGSTOP');
      for (const ending of ['', '-wal']) copyFileSync(reachable(pid, file + ending), copy + ending);
      process.kill(pid, 'SIGCONT');
      return copy;
    },
    free: (pid) => rmSync(reachable(pid, ballast)),
  };
}

/** The most that the process may write into a file, 512 kB, for containers that let nobody mount. */
function smallFiles(): SmallDisk {
  return {
    through: ['sh', '-c', 'ulimit -S -f 1000 && exec "$@"', '--'],
    snapshot: (_, file) => file,
    free(pid) {
      const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), '--fsize=unlimited'], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`prlimit (of util-linux) could not lift the limit: ${stderr}`);
    },
  };
}

/** For the data in `folder`. */
export function smallDisk(folder: string): SmallDisk {
  const disk = smallFileSystem(folder);
  const [program = '', ...args] = disk.through;
  const mounts = spawnSync(program, [...args, 'true']).status === 0;
  report('disk full: by', mounts ? 'a file system of 2 MB' : 'a limit on the size of files');
  return mounts ? disk : smallFiles();
}

/** Root may write where nobody may; what is started through this may not. */
export function withoutOverride(): readonly string[] {
  return process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
}

/** Overwrites a part of a file, from one share of its length to another. */
export function damage(file: string, bytes: Buffer, from: number, to: number): void {
  const start = Math.floor(bytes.length * from);
  const damaged = Buffer.from(bytes).fill(0x5a, start, Math.floor(bytes.length * to));
  writeFileSync(file, damaged);
}
