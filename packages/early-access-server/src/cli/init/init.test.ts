import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { ConfigError } from '../../app/config-error.ts';
import { runHere } from '../../fixtures/run-command.ts';
import { readConfig } from '../../settings/config.ts';
import { SETTING_LIST } from '../../settings/setting-list.ts';
import { UsageError } from '../command.ts';
import { withEnvFile } from '../env-file.ts';
import { OLDEST_NODE } from '../node-runtime.ts';
import { COMPOSE, DOCKERFILE, DOCKERIGNORE, MEMORY_FLAGS } from './container-files.ts';
import { envTemplate } from './env-template.ts';
import { initCommand } from './init.ts';
import { systemdUnit } from './systemd-unit.ts';

async function init(folder: string, ...args: string[]): Promise<{ code: number; printed: string }> {
  const { code, stdout } = await runHere(initCommand(folder), args, {});
  return { code, printed: stdout };
}

describe('init', () => {
  it('writes .env, and the other files only on request', async () => {
    const folder = tempFolder();
    expect(await init(folder)).toEqual({ code: 0, printed: 'Wrote    .env\n' });
    expect(readdirSync(folder)).toEqual(['.env']);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    const other = tempFolder();
    expect((await init(other, '--docker')).code).toBe(0);
    expect(readdirSync(other).sort()).toEqual(['.dockerignore', '.env', 'Dockerfile']);
    const all = tempFolder();
    expect((await init(all, '--systemd', '--docker', '--compose')).code).toBe(0);
    expect(readdirSync(all).sort()).toEqual([
      '.dockerignore',
      '.env',
      'Dockerfile',
      'compose.yaml',
      'early-access.service',
    ]);
  });

  it('never overwrites a file: it says which exist, writes the others and returns 1', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, '.env'), 'PORT=1\n');
    mkdirSync(join(folder, 'Dockerfile'));
    const { code, printed } = await init(folder, '--compose');
    expect(code).toBe(1);
    expect(printed.split('\n')).toEqual([
      'Exists   .env, which is not changed',
      'Exists   Dockerfile, which is not changed',
      'Wrote    .dockerignore',
      'Wrote    compose.yaml',
      '',
    ]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('PORT=1\n');
  });

  it('names a folder that cannot be written in one line', async () => {
    const folder = join(tempFolder(), 'missing');
    await expect(init(folder)).rejects.toThrow(ConfigError);
    await expect(init(folder)).rejects.toThrow(/^[^\n]*missing\/\.env cannot be written: [^\n]+$/);
  });

  it('rejects other arguments', async () => {
    await expect(init(tempFolder(), '--force')).rejects.toThrow(UsageError);
    await expect(init(tempFolder(), '.')).rejects.toThrow(/^usage: init /);
  });
});

describe('the settings', () => {
  it('of the file change nothing until a # is removed', async () => {
    const folder = tempFolder();
    await init(folder);
    expect(withEnvFile({}, folder).env).toEqual({});
  });

  it('of the file can all be used', () => {
    const env = parseEnv(envTemplate().replace(/^#(?! )/gm, ''));
    const examples = SETTING_LIST.filter(({ options: { example } }) => example !== undefined);
    expect(Object.keys(env).sort()).toEqual(examples.map(({ name }) => name).sort());
    expect(readConfig(env, '/script')).toMatchObject({
      adminEmail: 'you@example.com',
      mailFrom: 'Acme <hello@example.com>',
      confirm: true,
      trustProxy: 1,
    });
  });

  it('are all in the list', () => {
    const read = new Set<string>();
    const env = new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      },
    );
    readConfig(env, '/script');
    const listed = SETTING_LIST.map(({ name }) => name);
    expect([...read].filter((name) => !listed.includes(name))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

describe('the container', () => {
  const lines = DOCKERFILE.replaceAll('\\\n', ' ').trim().split('\n');
  const instruction = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it('runs this version on a fixed major version of Node that it supports', () => {
    const [image = ''] = instruction('FROM');
    expect(image).toMatch(/^node:\d+-slim$/);
    expect(Number(image.match(/\d+/)?.[0])).toBeGreaterThanOrEqual(Number.parseInt(OLDEST_NODE, 10));
    expect(instruction('ARG')).toEqual([`PACKAGE=early-access-server@${packageJson.version}`, 'RUN_AS=node']);
  });

  it('runs as another user than root, without a shell, and stores everything in the data folder', () => {
    const last = lines.findLastIndex((line) => line.startsWith('USER '));
    expect(lines[last]).toMatch(/^USER \$\{RUN_AS\}$/);
    expect(lines.slice(last).some((line) => line.startsWith('RUN '))).toBe(false);
    // Railway refuses an image with the instruction.
    expect(instruction('VOLUME')).toEqual([]);
    const [command = ''] = instruction('CMD');
    expect(JSON.parse(command)).toEqual(['node', ...MEMORY_FLAGS, 'node_modules/early-access-server/dist/cli.js']);
  });

  it('holds no settings except the ones of the image, and copies no file that could hold a secret', () => {
    expect(instruction('ENV')).toEqual(['NODE_ENV=production HOST=0.0.0.0 PORT=4173 DATA_DIR=/data']);
    expect([...instruction('COPY'), ...instruction('ADD')]).toEqual([]);
    expect(DOCKERIGNORE).toBe('*\n');
  });

  it('is started by compose without rights and with a limit of memory', () => {
    for (const line of [
      'read_only: true',
      '- ALL',
      '- no-new-privileges:true',
      'mem_limit: 256m',
      '- "127.0.0.1:4173:4173"',
    ]) {
      expect(COMPOSE).toContain(` ${line}\n`);
    }
  });
});

it('the unit for systemd starts the installed server with the settings of .env', () => {
  const unit = systemdUnit({ node: '/usr/bin/node', folder: '/srv/early access/100%' });
  expect(unit).toContain(
    'ExecStart="/usr/bin/node" --max-semi-space-size=4 --max-old-space-size=128 "/srv/early access/100%%/node_modules/early-access-server/dist/cli.js"\n',
  );
  expect(unit).toContain('EnvironmentFile=-/srv/early access/100%%/.env\n');
});
