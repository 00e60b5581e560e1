import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { PUBLISHED, SERVER } from '@early-access-kit/testkit/packages';
import { startRegistry } from '@early-access-kit/testkit/registry';
import { type Place, step } from './step.ts';

const ADDRESS = 'visitor@example.org';

interface Manifest {
  version: string;
  readonly publishConfig: { provenance?: boolean };
}

/**
 * Publishes the built packages of a clone to a local registry, starts the server with `npx`, creates a project with
 * `npm create`, signs up, publishes the next version, and upgrades the project, which must still have the signup.
 */
export async function rehearseUse(clone: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'early-access-use-'));
  const registry = await startRegistry(
    [],
    PUBLISHED.map((source) => path.basename(source)),
  );
  try {
    // npm and pnpm require a token to publish. The cache is empty, as on a new machine.
    const token = `${registry.origin.replace('http:', '')}/:_authToken=anyone`;
    const settings = `registry=${registry.origin}/\n${token}\ncache=${folder}/cache\n`;
    const version = await publish(clone, settings);
    const npmrc = path.join(folder, 'npmrc');
    writeFileSync(npmrc, settings);
    const env = { npm_config_userconfig: npmrc };
    await expectOutput(version, { folder, env }, 'npx', '--yes', 'early-access-server', '--version');
    const create = ['create', '--yes', 'early-access', 'my-app', '--', '--framework', 'html', '--store', 'sqlite'];
    await step({ folder, env }, 'npm', ...create);
    const project = { folder: path.join(folder, 'my-app'), env };
    await signUp(project);
    const next = await publish(clone, settings, (manifest) => {
      manifest.version = manifest.version.replace(/\d+$/, (patch) => `${Number(patch) + 1}`);
    });
    await step(project, 'npm', 'update');
    await expectOutput(`early-access-server@${next}`, project, 'npm', 'ls', 'early-access-server');
    await expectOutput(ADDRESS, project, 'npx', 'early-access-server', 'export');
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Publishes all packages like the workflow. Returns their version. */
async function publish(
  clone: string,
  settings: string,
  change: (manifest: Manifest) => void = () => {},
): Promise<string> {
  writeFileSync(path.join(clone, '.npmrc'), settings);
  for (const source of PUBLISHED) {
    const file = path.join(clone, source, 'package.json');
    const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
    change(manifest);
    // Only the workflow can sign provenance.
    delete manifest.publishConfig.provenance;
    writeFileSync(file, JSON.stringify(manifest, null, 2));
  }
  await step({ folder: clone }, 'changeset', 'publish', '--no-git-tag');
  const { version }: Manifest = JSON.parse(readFileSync(path.join(clone, SERVER, 'package.json'), 'utf8'));
  return version;
}

/** Starts the project as described in its README, and signs up with its form like a browser without scripts. */
async function signUp({ folder, env }: Place): Promise<void> {
  const settings = { ...process.env, ...env, PORT: '0', NO_COLOR: '1' };
  const program = startProcess(['npm', 'start'], { cwd: folder, env: settings, detached: true });
  try {
    const origin = await program.printedMatch('stdout', /Serving +(http:\S+)/);
    const body = new URLSearchParams({ email: ADDRESS });
    const { status } = await fetch(`${origin}/api/signup-form`, { method: 'POST', headers: { Origin: origin }, body });
    if (status !== 201) throw new Error(`the signup returned ${status}`);
  } finally {
    await program.end('SIGTERM');
  }
}

async function expectOutput(expected: string, place: Place, program: string, ...args: string[]): Promise<void> {
  const output = await step(place, program, ...args);
  if (!output.includes(expected)) throw new Error(`${args.join(' ')} printed no ${expected}:\n${output}`);
}
