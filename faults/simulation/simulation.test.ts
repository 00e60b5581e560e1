import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { patched } from './plant.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';

const SERVER = path.join(import.meta.dirname, '../../packages/early-access-server/src');
/** The whole source of the server. */
const SOURCE = globSync('**/!(*.test).ts', { cwd: SERVER })
  .map((file) => readFileSync(path.join(SERVER, file), 'utf8'))
  .join('\n');

/** Runs the simulator in a separate process, because it replaces clocks, timers and random numbers globally. */
async function simulator(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...args]);
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return printed + errors;
}

describe('the simulator', () => {
  it.each(['1-100', '101-200'])('finds no random history of seeds %s that breaks a promise', async (seeds) => {
    expect(await simulator(seeds)).toContain(`seeds ${seeds}: 100 run, 0 broke a promise`);
  });

  it('runs the same history for the same seed after any other run', async () => {
    const [alone = '', ...lines] = (await simulator('9')).split('\n');
    expect(alone).toMatch(/^seed 9: \d+ steps, [0-9a-f]{16}$/);
    expect(lines.length).toBeGreaterThan(0);
    expect((await simulator('6-9')).split('\n')).toContain(alone);
  });

  it('finds a planted bug, and prints a short history that shows it', async () => {
    const printed = await simulator('1-50', '--plant', 'counts an update of a session as a new session');
    expect(printed).toMatch(/seed \d+ breaks a promise in step \d+: the summary is/);
    const [, seed = '', steps = ''] = /npm run task -- simulate (\d+) --steps ([\d,]+)/.exec(printed) ?? [];
    expect(steps.split(',').length).toBeLessThan(5);
    const again = await simulator(seed, '--steps', steps, '--plant', 'counts an update of a session as a new session');
    expect(again).toMatch(/breaks a promise in step \d+: the summary is/);
  });

  it.each(PLANTED_BUGS)('knows where to plant: $name', ({ patches }) => {
    for (const patch of patches) {
      expect(patched(SOURCE, patch)).not.toBe(SOURCE);
    }
  });
});
