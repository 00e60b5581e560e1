import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import path from 'node:path';

const MANIFEST = path.resolve(import.meta.dirname, '../package.json');

export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
}

export function machine(): Machine {
  return {
    system: `${type()} ${release()}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
  };
}

/** Versions of all programs and packages in use: from this package's manifest, and from the programs' output. */
export function versions(): Record<string, string> {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const pinned = Object.entries(devDependencies).filter(
    ([name, version]) => /^\d/.test(version) && !name.startsWith('@types/'),
  );
  const { node = '', sqlite = '' } = process.versions;
  const { CHROME_PATH, WRK_PATH } = process.env;
  const [chromium, wrk] = [readVersion(CHROME_PATH, '--version'), readVersion(WRK_PATH, '-v')];
  return { node, sqlite, chromium, wrk, ...Object.fromEntries(pinned) };
}

/** Returns the first dotted number in the output of a program. */
function readVersion(program: string | undefined, option: string): string {
  if (!program) return 'none';
  const { stdout, stderr } = spawnSync(program, [option], { encoding: 'utf8' });
  return /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown';
}
