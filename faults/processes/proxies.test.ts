import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { startServer } from '@early-access-kit/testkit/built-server';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { report } from '@early-access-kit/testkit/fault-runs';
import { freePort } from '@early-access-kit/testkit/http-server';
import { programOnPath } from '@early-access-kit/testkit/programs';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const DOCUMENT = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8');
const PUBLIC_URL = 'http://early.example.com';

interface Proxy {
  readonly name: string;
  /** Changes the documented configuration to run here, without TLS and on a loopback port. Returns the command. */
  command(config: string, port: number, folder: string): readonly string[];
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'caddy',
    command(config, port, folder) {
      const file = join(folder, 'Caddyfile');
      const site = config.replace('early.example.com {', `http://early.example.com:${port} {\n\tbind 127.0.0.1`);
      writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
    },
  },
  {
    name: 'nginx',
    command(config, port, folder) {
      const file = join(folder, 'nginx.conf');
      const site = config.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`).replace(/^ *ssl_.*\n/gm, '');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder};`,
      );
      writeFileSync(
        file,
        `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
         http { access_log off; ${temporary.join(' ')} ${site} }`,
      );
      return ['nginx', '-c', file];
    },
  },
];

/** Only tests installed programs: neither belongs to the project, but the workflow has both. */
const installed = PROXIES.filter(({ name }) => programOnPath([name]));
report('proxies: tested', installed.map(({ name }) => name).join(', ') || 'none is installed');

/** Signs up through the proxy from a local address, with a forged header for another one. Returns the status. */
function signUpThroughProxy(localAddress: string, port: number): Promise<number> {
  const invented = `203.0.113.${Math.floor(Math.random() * 256)}`;
  const headers = {
    Host: 'early.example.com',
    Origin: PUBLIC_URL,
    'Content-Type': 'text/plain',
    'X-Forwarded-For': invented,
  };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, localAddress, method: 'POST', path: '/api/signups', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(JSON.stringify(signupOf()));
  });
}

describe.each(installed)('behind the documented $name', ({ name, command }) => {
  it('visitors sign up, and each has a separate rate limit, even if they forge an address', async () => {
    const folder = tempFolder();
    const server = await startServer({
      DATA_DIR: join(folder, 'data'),
      PUBLIC_URL,
      TRUST_PROXY: '1',
      SITE_DIR: 'none',
    });
    onTestFinished(server.kill);
    const port = await freePort();
    const config = new RegExp(`\`\`\`${name}\n(.*?)\`\`\``, 's').exec(DOCUMENT)?.[1] ?? '';
    const upstream = config.replaceAll('127.0.0.1:4173', new URL(server.origin).host.replace('localhost', '127.0.0.1'));
    const { PATH } = process.env;
    const proxy = startProcess(command(upstream, port, folder), { env: { PATH, HOME: folder } });
    onTestFinished(() => proxy.end('SIGTERM'));
    await vi.waitFor(async () => expect(await signUpThroughProxy('127.0.0.1', port)).toBe(201), {
      interval: 50,
    });
    const statuses: number[] = [];
    while (!statuses.includes(429)) {
      expect(statuses.length).toBeLessThan(100);
      statuses.push(await signUpThroughProxy('127.0.0.2', port));
    }
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(await signUpThroughProxy('127.0.0.3', port)).toBe(201);
  });
});

it('the documents name both', () => {
  for (const { name } of PROXIES) expect(DOCUMENT).toContain(`\`\`\`${name}\n`);
});
