import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess } from './child-process.ts';
import { freePort } from './http-server.ts';
import { installPackages } from './installed-packages.ts';

const VERDACCIO = path.resolve(import.meta.dirname, '../verdaccio');

/** An npm registry on this machine. */
export interface Registry {
  /** The `.npmrc` of a project whose packages come from it and may be published to it. */
  readonly npmrc: string;
  close(): Promise<void>;
}

/** Starts a registry without packages, where anyone may publish. It gets any other package from the registry that npm is configured for. */
export async function startRegistry(own: readonly string[]): Promise<Registry> {
  const program = path.join(installPackages(VERDACCIO), '.bin/verdaccio');
  const url = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(path.join(tmpdir(), 'early-access-registry-'));
  const mayPublish = { access: '$all', publish: '$anonymous' };
  // JSON is YAML, too.
  const config = {
    storage: path.join(folder, 'storage'),
    uplinks: { configured: { url, cache: false } },
    packages: {
      ...Object.fromEntries(own.map((name) => [name, mayPublish])),
      '**': { access: '$all', proxy: 'configured' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
  const file = path.join(folder, 'config.yaml');
  writeFileSync(file, JSON.stringify(config));
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const running = startProcess([process.execPath, program, '--config', file, '--listen', address], {
    // It reaches the other registry with the certificates and proxies of this machine.
    env: process.env,
    cwd: folder,
  });
  await running.printedMatch('stdout', /(http address)/);
  return {
    // Both npm and pnpm want a token to publish. The cache is empty, as on a new machine.
    npmrc: `registry=http://${address}/\n//${address}/:_authToken=anyone\ncache=${folder}/cache\n`,
    async close() {
      await running.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
