import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { report } from '@early-access-kit/testkit/fault-runs';
import { onTestFinished } from 'vitest';

/** A nearly full disk for one process. */
export interface SmallDisk {
  /** True for a file system, whose free space programs can query. */
  readonly isFileSystem: boolean;
  /** The command to start the process with. */
  readonly through: readonly string[];
  /** Copies the process's database to a readable folder, in the state after a crash. */
  snapshot(pid: number, file: string): string;
  /** Frees space while the process runs. */
  free(pid: number): void;
}

const MIB = 1_048_576;

/** A 16 MB file system mounted at `folder`, only visible to the process. */
function smallFileSystem(folder: string): SmallDisk {
  const ballast = join(folder, 'ballast');
  const mount = `mount -t tmpfs -o size=16m tmpfs "$0" && head -c ${15 * MIB} /dev/zero > "$0/ballast" && exec "$@"`;
  const reachable = (pid: number, path: string) => join(`/proc/${pid}/root`, path);
  return {
    isFileSystem: true,
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

/** A file size limit of 512 kB for the process, for containers that do not allow mounting. */
function smallFiles(): SmallDisk {
  return {
    isFileSystem: false,
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

/** A small disk for the data in `folder`: a small file system, or a file size limit if mounting is not allowed. */
export function smallDisk(folder: string): SmallDisk {
  const disk = smallFileSystem(folder);
  const [program = '', ...args] = disk.through;
  const mounts = spawnSync(program, [...args, 'true']).status === 0;
  report('disk full: method', mounts ? 'a file system of 16 MB' : 'a file size limit');
  return mounts ? disk : smallFiles();
}

/** Overwrites part of a file. `from` and `to` are fractions of its length. */
export function damage(file: string, bytes: Buffer, from: number, to: number): void {
  const start = Math.floor(bytes.length * from);
  const damaged = Buffer.from(bytes).fill(0x5a, start, Math.floor(bytes.length * to));
  writeFileSync(file, damaged);
}

/**
 * Overwrites all pages that a server does not need to start: all except the schema, its counter and the search
 * settings.
 */
export function damageContents(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const pages = db
    .prepare("SELECT pageno FROM dbstat WHERE name NOT IN ('sqlite_schema', 'totals', 'signup_search_config')")
    .all()
    .map(({ pageno }) => Number(pageno));
  const size = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  db.close();
  const bytes = readFileSync(file);
  for (const page of pages) bytes.fill(0x5a, (page - 1) * size, page * size);
  writeFileSync(file, bytes);
}
