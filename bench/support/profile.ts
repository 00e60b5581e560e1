import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The fields of the output of `node --cpu-prof` that are used here. */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface Frame {
  readonly functionName: string;
  readonly url: string;
}

/** V8 attributes native calls to their caller, so the file of these functions counts as SQLite. */
const COMMITS = new Set(['inTransaction', 'commit']);

/** Returns flags with which Node writes a profile into the folder when it exits. */
export const profileInto = (folder: string) => ['--cpu-prof', `--cpu-prof-dir=${folder}`];

/** Returns the share of the main thread's busy time by owner of the code, in percent, largest first, from 0.5% up. */
export function describeProfile(folder: string): string {
  // Threads write profiles, too, but shorter ones.
  const profiles = globSync(path.join(folder, '*.cpuprofile')).map(
    (file): Profile => JSON.parse(readFileSync(file, 'utf8')),
  );
  const spent = profiles.map(timeByOwner).sort((a, b) => addTimes(b) - addTimes(a))[0];
  if (spent === undefined) throw new Error('there is no profile');
  const all = addTimes(spent);
  return [...spent]
    .sort(([, a], [, b]) => b - a)
    .map(([owner, time]) => [owner, Math.round((time / all) * 100)] as const)
    .filter(([, percent]) => percent > 0)
    .map(([owner, percent]) => `${owner} ${percent} %`)
    .join(', ');
}

function timeByOwner({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const committing = nodes.find(({ callFrame }) => COMMITS.has(callFrame.functionName))?.callFrame.url;
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, findOwner(callFrame, committing)]));
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const owner = owners.get(id) ?? null;
    if (owner !== null) spent.set(owner, (spent.get(owner) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return spent;
}

/** Returns null while nothing runs. */
function findOwner({ functionName, url }: Frame, committing: string | undefined): string | null {
  if (functionName === '(idle)' || functionName === '(root)') return null;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'system calls';
  if (url.startsWith('node:')) return 'Node';
  if (url === committing) return 'SQLite and the store';
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'own code';
}

function addTimes(spent: ReadonlyMap<string, number>): number {
  return [...spent.values()].reduce((sum, time) => sum + time, 0);
}
