import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@early-access-kit/testkit/http-server';
import { CAN_CONTAIN, type Container, makeRoot, readDockerfile, startContainer } from './support/container.ts';
import { signUpMany } from './support/load.ts';
import { installServer, runInstalled } from './support/npm.ts';
import { expect, test } from './support/test.ts';

const MEMORY_MB = 256;
const SIGNUPS = 20_000;

/** A line of /proc/PID/status. */
async function readProcessStatus(pid: number, name: string): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
}

/** Elsewhere the CI workflow builds and starts the image itself. */
const describe = CAN_CONTAIN ? test.describe : () => {};

describe('the container of `init --docker`', () => {
  let container: Container;
  let origin: string;

  test.beforeAll(async ({ atTheEnd }) => {
    const folder = await installServer('--omit=dev', '--ignore-scripts');
    atTheEnd(() => rm(folder, { recursive: true, force: true }));
    expect((await runInstalled({ folder }, ['init', '--docker'])).code).toBe(0);
    const image = readDockerfile(await readFile(path.join(folder, 'Dockerfile'), 'utf8'));
    const root = path.join(folder, 'root');
    await makeRoot(root, image, folder);
    const port = await freePort();
    const env = { HOST: '127.0.0.1', PORT: String(port), TRUST_PROXY: '1', ADMIN_EMAIL: 'admin@example.com' };
    container = await startContainer({ root, image, env, memoryMb: MEMORY_MB });
    atTheEnd(container.remove);
    origin = await container.running.printedMatch('stdout', /^Serving +(http:\S+)$/m);
  });

  test('runs the server as process 1, without rights, and only the data and /tmp can be written', async () => {
    const pid = container.pid();
    expect(await readProcessStatus(pid, 'NSpid')).toMatch(/\s1$/);
    expect(await readProcessStatus(pid, 'Uid')).toMatch(/^1000\s/);
    expect(Number.parseInt(await readProcessStatus(pid, 'CapEff'), 16)).toBe(0);
    expect(await readProcessStatus(pid, 'NoNewPrivs')).toBe('1');
    const mounts = (await readFile(`/proc/${pid}/mountinfo`, 'utf8')).split('\n').map((line) => line.split(' '));
    const writable = mounts.flatMap(([, , , , point = '', options = '']) => (/^rw\b/.test(options) ? [point] : []));
    expect(writable.sort()).toEqual(['/data', '/dev/null', '/dev/urandom', '/proc', '/tmp']);
  });

  test('is healthy and within its memory while signups arrive as fast as it stores them', async () => {
    const loaded = signUpMany(origin, SIGNUPS);
    let isLoaded = false;
    void loaded.finally(() => {
      isLoaded = true;
    });
    do expect(await container.checkHealth()).toBe(0);
    while (!isLoaded);
    expect(await loaded).toBe(SIGNUPS);
    expect(Number.parseInt(await readProcessStatus(container.pid(), 'VmHWM'), 10) / 1_024).toBeLessThan(MEMORY_MB);
  });

  test('ends with 0 at SIGTERM', async () => {
    process.kill(container.pid(), 'SIGTERM');
    const { code, stderr } = await container.running.finished;
    expect(code).toBe(0);
    expect(stderr).toMatch(/"event":"stopped"}\n$/);
  });
});
