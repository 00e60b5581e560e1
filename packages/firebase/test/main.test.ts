import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ROOT } from './harness.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'local-firebase-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function start(more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(ROOT, 'packages/firebase/src/local/main.ts')], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exit = once(child, 'exit');
  const found = (name: string) => new RegExp(`^${name} +(http\\S+)`, 'm').exec(output)?.[1];
  return { child, exit, found, output: () => output };
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'prints the URLs of its servers and each sign-in link, and stops all of them on %s',
  async (signal) => {
    const { child, exit, found } = await start();
    await vi.waitFor(() => expect(found('Serving')).toBeDefined(), { timeout: 30_000 });
    const addresses = ['Serving', 'Firestore', 'Functions'].map((name) => String(found(name)));
    const form = { method: 'POST', body: new URLSearchParams({ email: 'ada@example.org' }) };
    expect((await fetch(`${addresses[0]}/api/signup-form`, form)).status).toBe(201);
    await vi.waitFor(() => expect(readdirSync(path.join(folder, 'firebase-mail'))).toHaveLength(1), {
      timeout: 10_000,
    });

    const [site = ''] = addresses;
    const request = {
      method: 'POST',
      headers: { origin: site, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com' }),
    };
    expect((await fetch(`${site}/api/admin/sign-in`, request)).status).toBe(202);
    await vi.waitFor(() => expect(found('Sign in')).toMatch(/\/admin#token=[\w-]{43}$/), { timeout: 10_000 });

    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow();
  },
);

it('uses free ports for Firestore and the functions unless they are configured', async () => {
  const first = await start();
  await vi.waitFor(() => expect(first.found('Serving')).toBeDefined(), { timeout: 30_000 });
  const second = await start();
  await vi.waitFor(() => expect(second.found('Serving')).toBeDefined(), { timeout: 30_000 });
  for (const name of ['Firestore', 'Functions']) expect(second.found(name)).not.toBe(first.found(name));
  second.child.kill('SIGTERM');
  await second.exit;

  const { port } = new URL(String(second.found('Firestore')));
  const configured = await start({ FIRESTORE_PORT: port });
  await vi.waitFor(() => expect(configured.found('Firestore')).toBe(second.found('Firestore')), { timeout: 30_000 });
  for (const { child, exit } of [first, configured]) {
    child.kill('SIGTERM');
    await exit;
  }
});

it('prints which variables to set if a port is in use', async () => {
  const first = await start();
  await vi.waitFor(() => expect(first.found('Serving')).toBeDefined(), { timeout: 30_000 });
  const { port } = new URL(String(first.found('Serving')));
  const second = await start({ PORT: port });
  expect(await second.exit).toEqual([1, null]);
  expect(second.output()).toContain('PORT, FIRESTORE_PORT and FUNCTIONS_PORT');
  first.child.kill('SIGTERM');
  await first.exit;
});
