import { expect, it, vi } from 'vitest';
import { HEAP_LIMITS, limitHeap, OLDEST_NODE, oldNodeMessage, type ReplaceableProcess } from './node-runtime.ts';

it.each(['22.16.0', '22.23.3', '24.0.0', '100.0.0'])('accepts Node %s', (version) => {
  expect(oldNodeMessage(version)).toBeNull();
});

it.each(['22.15.1', '22.9.0', '20.20.0', '9.0.0', '18.20.8-nightly'])(
  'names the version needed on Node %s',
  (version) => {
    expect(OLDEST_NODE).toBe('22.16');
    expect(oldNodeMessage(version)).toMatch(/^early-access-server: needs Node 22\.16 or newer, [^\n]+\n$/);
  },
);

/** Returns the arguments of the process that replaced this one; null if it was not replaced. */
function findReplacement(given: Partial<ReplaceableProcess>): readonly string[] | null {
  const execve = vi.fn<(file: string, args?: readonly string[]) => never>();
  limitHeap('/app/cli.js', {
    execve,
    execPath: '/bin/node',
    execArgv: [],
    argv: ['/bin/node', '/app/start.js', 'serve'],
    env: {},
    platform: 'linux',
    send: undefined,
    ...given,
  });
  return execve.mock.calls[0]?.[1] ?? null;
}

it('starts the same program with limits', () => {
  expect(findReplacement({})).toEqual(['/bin/node', ...HEAP_LIMITS, '/app/cli.js', 'serve']);
  expect(findReplacement({ execArgv: ['--enable-source-maps'], env: { NODE_OPTIONS: '--no-warnings' } })).toEqual([
    '/bin/node',
    '--enable-source-maps',
    ...HEAP_LIMITS,
    '/app/cli.js',
    'serve',
  ]);
});

it.each<[string, Partial<ReplaceableProcess>]>([
  ['has limits', { execArgv: ['--max-old-space-size=128'] }],
  ['has limits in NODE_OPTIONS', { env: { NODE_OPTIONS: '--max_semi_space_size=4' } }],
  ['has a channel to its parent', { send: () => true }],
  ['runs on Windows', { platform: 'win32' }],
  ['runs on a Node without execve', { execve: undefined }],
])('leaves a process as it is that %s', (_, given) => {
  expect(findReplacement(given)).toBe(null);
});
