import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { clientAddress } from '../../app/access/client-networks.ts';
import { allRoutes } from '../../fixtures/all-routes.ts';
import { readConfig } from '../../settings/config.ts';
import type { Setting } from '../../settings/setting.ts';
import { SETTING_LIST } from '../../settings/setting-list.ts';
import { COMPOSE, DOCKERFILE } from './container-files.ts';
import { systemdUnit } from './systemd-unit.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
const FOLDER = join(ROOT, 'deploy');
const PORT = 4_173;
const GRACE = '15s';
const HEALTH = '/healthz';

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const text = z.string().min(1);

/** The fields that the platforms document, as far as the templates use them. Any other field fails. */
const renderFile = z.strictObject({
  services: z.tuple([
    z.strictObject({
      type: z.literal('web'),
      name: text,
      runtime: z.literal('docker'),
      plan: z.enum(['free', 'starter', 'standard', 'pro']),
      dockerfilePath: z.literal('./Dockerfile'),
      healthCheckPath: text,
      numInstances: z.literal(1),
      disk: z.strictObject({ name: text, mountPath: text, sizeGB: z.int().min(1) }).optional(),
      envVars: z.array(
        z.union([z.strictObject({ key: text, value: text }), z.strictObject({ key: text, sync: z.literal(false) })]),
      ),
    }),
  ]),
});
const flyFile = z.strictObject({
  app: text,
  primary_region: z.string().length(3),
  kill_signal: z.literal('SIGTERM'),
  kill_timeout: text,
  build: z.strictObject({ args: z.record(text, text) }),
  env: z.record(text, text),
  mounts: z.tuple([z.strictObject({ source: text, destination: text })]),
  http_service: z.strictObject({
    internal_port: z.int(),
    force_https: z.literal(true),
    auto_stop_machines: z.literal(false),
    auto_start_machines: z.boolean(),
    min_machines_running: z.literal(1),
    checks: z.tuple([
      z.strictObject({ method: z.literal('GET'), path: text, interval: text, timeout: text, grace_period: text }),
    ]),
  }),
  vm: z.tuple([z.strictObject({ size: text, memory: text })]),
});
const railwayFile = z.strictObject({
  $schema: z.url(),
  build: z.strictObject({ builder: z.literal('DOCKERFILE'), dockerfilePath: z.literal('Dockerfile') }),
  deploy: z.strictObject({
    healthcheckPath: text,
    healthcheckTimeout: z.int(),
    restartPolicyType: z.literal('ON_FAILURE'),
    restartPolicyMaxRetries: z.int(),
    drainingSeconds: z.int(),
  }),
});
const composeService = z.strictObject({
  build: z.literal('.').optional(),
  image: text.optional(),
  environment: z.record(text, text).optional(),
  env_file: z.array(z.strictObject({ path: text, required: z.boolean() })).optional(),
  expose: z.array(text).optional(),
  ports: z.array(text).optional(),
  volumes: z.array(text).optional(),
  depends_on: z.record(text, z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(text).optional(),
  cap_drop: z.array(text).optional(),
  security_opt: z.array(text).optional(),
  mem_limit: text.optional(),
  stop_grace_period: text.optional(),
  restart: text.optional(),
});
const composeFile = z.strictObject({
  services: z.record(text, composeService),
  volumes: z.record(text, z.null()),
});

const render = (name = 'render.yaml') => renderFile.parse(parseYaml(read(name))).services[0];
const fly = () => flyFile.parse(parseToml(read('fly.toml')));
const railway = () => railwayFile.parse(JSON.parse(read('railway.json')));
const compose = (file: string) => composeFile.parse(parseYaml(file));

/** The text after the name of an instruction of the Dockerfile. */
function readInstruction(name: string): string {
  return new RegExp(`^${name} (.*)$`, 'm').exec(DOCKERFILE)?.[1] ?? '';
}

/** The variables that each template sets, with a value that fits where the admin enters one. */
function listVariables(): Record<string, Record<string, string | undefined>> {
  const readVariables = (name: string) =>
    Object.fromEntries(
      render(name).envVars.map((variable) => [variable.key, 'value' in variable ? variable.value : undefined]),
    );
  return {
    render: readVariables('render.yaml'),
    demo: readVariables('render-demo.yaml'),
    fly: { ...fly().env, ...fly().build.args },
    coolify: compose(read('coolify.yaml')).services['early-access']?.environment ?? {},
    caddy: compose(read('compose.caddy.yaml')).services['early-access']?.environment ?? {},
  };
}

/**
 * Whether the server reads the value as a path: what it makes of it, or its error, names the file in the working
 * folder.
 */
function namesPath({ name }: Setting<unknown>): boolean {
  const [value, file] = ['no-such-file', resolve('no-such-file')];
  try {
    return JSON.stringify(readConfig({ [name]: value }, '/script')).includes(file);
  } catch (error) {
    return String(error).includes(file);
  }
}

const VISITOR = '198.51.100.1';
/**
 * `X-Forwarded-For` as each platform passes it on for this visitor, who invents an address. The pages of the platforms
 * say where that is known from.
 */
const FORWARDED: Readonly<Record<string, string>> = {
  render: `192.0.2.66, ${VISITOR}, 104.22.17.40`,
  demo: `192.0.2.66, ${VISITOR}, 104.22.17.40`,
  fly: `192.0.2.66, ${VISITOR}, 203.0.113.1`,
  coolify: VISITOR,
  caddy: VISITOR,
};

describe('the templates of deploy/', () => {
  it('each have a page, and each page names its files', () => {
    const pages = readdirSync(join(ROOT, 'docs/deploy')).map((name) =>
      readFileSync(join(ROOT, 'docs/deploy', name), 'utf8'),
    );
    const unnamed = readdirSync(FOLDER).filter((name) => !pages.some((page) => page.includes(`deploy/${name}`)));
    expect(unnamed).toEqual([]);
    for (const page of pages) expect(page).toMatch(/^# .+\n\nRun (a|the) (server|demo) [^\n]+\.\n/);
  });

  it('name only settings that exist, and arguments of the image', () => {
    const names = new Set([...SETTING_LIST.map(({ name }) => name), 'RUN_AS']);
    expect(DOCKERFILE).toMatch(/\nARG RUN_AS=node\nUSER \$\{RUN_AS\}\n/);
    for (const [template, variables] of Object.entries(listVariables())) {
      expect([template, Object.keys(variables).filter((name) => !names.has(name))]).toEqual([template, []]);
    }
  });

  it('start with the settings that they fix', () => {
    const url = { PUBLIC_URL: 'https://early.example.com' };
    const mail = { ADMIN_EMAIL: 'you@example.com', SMTP_URL: 'smtp://u:p@h.example', MAIL_FROM: 'a@b.example' };
    for (const [template, variables] of Object.entries(listVariables())) {
      const fixed = Object.entries(variables).filter(([, value]) => value !== undefined && !value.includes('$'));
      const entered = template === 'demo' ? url : { ...url, ...mail };
      const config = readConfig({ ...entered, ...Object.fromEntries(fixed) }, '/script');
      expect(config).toMatchObject({ isLocalRun: false, demo: template === 'demo' });
      // The visitor is limited by this address, not by the invented one.
      const connection = { remoteAddress: '10.0.0.1', forwardedFor: FORWARDED[template] };
      expect([template, clientAddress(connection, config.trustProxy)]).toEqual([template, VISITOR]);
      expect(config.publicUrl?.protocol).toBe('https:');
    }
  });

  it('have a disk, which free services of Render have not, unless nothing is stored', () => {
    const [server, demo] = [render(), render('render-demo.yaml')];
    expect([server.plan === 'free', server.disk === undefined]).toEqual([false, false]);
    expect([demo.plan === 'free', demo.disk === undefined]).toEqual([true, true]);
  });

  it('ask for the health at a route that exists', () => {
    expect(allRoutes()).toContain(`GET ${HEALTH}`);
    const paths = [
      render().healthCheckPath,
      render('render-demo.yaml').healthCheckPath,
      fly().http_service.checks[0].path,
      railway().deploy.healthcheckPath,
      ...(DOCKERFILE.match(/\/healthz/g) ?? []),
    ];
    expect(new Set(paths)).toEqual(new Set([HEALTH]));
  });

  it('mount their volume where the image stores its data, and lead to its port', () => {
    const env = Object.fromEntries(
      readInstruction('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    expect([render().disk?.mountPath, fly().mounts[0].destination]).toEqual([env.DATA_DIR, env.DATA_DIR]);
    expect(readFileSync(join(ROOT, 'docs/deploy/railway.md'), 'utf8')).toContain(`\`${env.DATA_DIR}\``);
    expect(compose(read('coolify.yaml')).services['early-access']?.volumes).toEqual([`data:${env.DATA_DIR}`]);
    expect([fly().http_service.internal_port, Number(env.PORT)]).toEqual([PORT, PORT]);
    expect(compose(read('coolify.yaml')).services['early-access']?.expose).toEqual([String(PORT)]);
    expect(read('Caddyfile')).toContain(`reverse_proxy early-access:${PORT}\n`);
  });

  it('give the server the time that it needs to stop', () => {
    expect([fly().kill_timeout, `${railway().deploy.drainingSeconds}s`]).toEqual([GRACE, GRACE]);
  });

  it('restrict the container of Coolify as `init --compose` does', () => {
    const own = compose(COMPOSE).services['early-access'];
    const { environment: _, expose: __, ...coolify } = compose(read('coolify.yaml')).services['early-access'] ?? {};
    const { environment: ___, ports: ____, env_file: _____, ...expected } = own ?? {};
    // There is no folder on the machine beside its file.
    expect(coolify).toEqual({ ...expected, volumes: expected.volumes?.filter((volume) => !volume.startsWith('./')) });
    expect(expected.volumes).toContain('./settings:/app/settings:ro');
  });

  it('mount each file and folder that a setting names where the container finds it', () => {
    const { environment = {}, volumes = [] } = compose(COMPOSE).services['early-access'] ?? {};
    const mounts = volumes.map((volume) => volume.split(':')[1] ?? '');
    const shown = Object.fromEntries(
      Array.from(COMPOSE.matchAll(/([A-Z_]+)=(\S+?)(?=[,.]?\s)/g), ([, name, value]) => [name, value]),
    );
    const named = SETTING_LIST.filter(namesPath).map(({ name }) => name);
    expect(named).toContain('MAIL_TEMPLATES');
    for (const name of named) {
      const file = resolve(readInstruction('WORKDIR'), environment[name] ?? shown[name] ?? 'not shown');
      expect([name, mounts.some((mount) => file === mount || file.startsWith(`${mount}/`))]).toEqual([name, true]);
    }
  });

  it('add Caddy to the file of `init --compose`, whose server it reaches by its name', () => {
    const { services, volumes } = compose(read('compose.caddy.yaml'));
    expect(Object.keys(compose(COMPOSE).services)).toEqual(['early-access']);
    expect(services.caddy?.volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
    const named = Object.values(services).flatMap(({ volumes: used = [] }) =>
      used.map((volume) => volume.split(':')[0]),
    );
    expect(named.filter((name) => name !== './Caddyfile')).toEqual(Object.keys(volumes));
  });
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.runIf(hasSystemd)('systemd accepts the unit of `init --systemd`', () => {
  const folder = tempFolder();
  const unit = join(folder, 'early-access.service');
  writeFileSync(unit, systemdUnit({ node: process.execPath, folder }));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect([status, stderr.split('\n').filter((line) => line.includes('early-access.service'))]).toEqual([0, []]);
});
