/**
 * Runs a task of this repository on any machine with Node >= 18 and npm:
 * `node scripts/bootstrap.mjs <task> [arguments]`. It provides the Node and the pnpm that the project is built with
 * (from the npm registry, into .tools/), installs the dependencies, and hands over to scripts/tasks/<task>.ts, or to
 * pnpm itself if the task is `pnpm`. Plain JavaScript without dependencies, since nothing is there yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const TOOLS = path.join(ROOT, '.tools', 'node_modules');
/**
 * Tasks that need these packages and the root only, half of all dependencies. The first other task installs the rest.
 */
const SITE_TASKS = ['start', 'dev', 'storybook'];
/**
 * Tasks that need only their `dependencies`, a quarter of all. What builds is there, what tests and documents is not.
 */
const BUILD_TASKS = ['start', 'dev'];
const SITE = ['site', 'early-access-server', 'early-access-kit', '@early-access-kit/dashboard'];

const env = {
  // A task starts many Node processes that load the same modules. From the second on, they need not compile them.
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compiled'),
  // npm hands its own configuration down as variables, and pnpm would take them for its own.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
};

main();

function main() {
  const [task, ...taskArguments] = process.argv.slice(2);
  const script = path.join(ROOT, 'scripts', 'tasks', `${(task ?? '').replaceAll(':', '-')}.ts`);
  if (task !== 'pnpm' && !existsSync(script)) {
    const tasks = readdirSync(path.join(ROOT, 'scripts', 'tasks')).map((file) => file.replace(/\.ts$/, ''));
    fail(`There is no task "${task ?? ''}". The tasks are: pnpm, ${tasks.join(', ')}.`);
  }
  const { node, pnpm } = provideTools();
  env.PATH = [path.dirname(node), path.dirname(pnpm), path.join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(
    path.delimiter,
  );
  // Quiet when nothing is to be done, and quick: pnpm looks at the lockfile first.
  const filters = SITE_TASKS.includes(task) ? SITE.map((name) => `--filter=${name}`) : [];
  // Once the rest is there, it would be removed.
  if (BUILD_TASKS.includes(task) && !existsSync(path.join(ROOT, 'node_modules', 'vitest'))) filters.push('--prod');
  const flags = ['--frozen-lockfile', '--prefer-offline', '--reporter=append-only', ...filters];
  const installed = spawnSync(pnpm, ['install', ...flags], { cwd: ROOT, env, encoding: 'utf8' });
  if (installed.status !== 0) fail(`The dependencies could not be installed.\n${installed.stdout}${installed.stderr}`);
  if (task === 'pnpm') handOver(pnpm, taskArguments);
  else handOver(node, [script, ...taskArguments]);
}

/** Paths of a Node >= 24 and of pnpm's own binary; what is missing comes from the npm registry. */
function provideTools() {
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const nodeVersion = readFileSync(path.join(ROOT, '.nvmrc'), 'utf8').trim();
  const pnpmVersion = packageManager.split('@')[1];
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const ownNode = Number.parseInt(process.versions.node, 10) >= 24;
  const wanted = [`pnpm@${pnpmVersion}`, ...(ownNode ? [] : [`${nodePackage}@${nodeVersion}`])];
  if (!wanted.every(isProvided)) {
    console.log(`Getting ${wanted.join(' and ')} ...`);
    const prefix = path.join(ROOT, '.tools');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error'];
    const npm = spawnSync('npm', ['install', '--prefix', prefix, ...flags, ...wanted], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (npm.status !== 0 || !wanted.every(isProvided)) {
      fail(`npm could not install ${wanted.join(' and ')}. Is the npm registry within reach?`);
    }
  }
  return {
    node: ownNode ? process.execPath : path.join(TOOLS, nodePackage, 'bin', 'node'),
    pnpm: findPnpm(),
  };
}

function isProvided(wanted) {
  const at = wanted.lastIndexOf('@');
  const manifest = path.join(TOOLS, wanted.slice(0, at), 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === wanted.slice(at + 1);
}

/**
 * The native binary beside the launcher: the launcher would swallow signals. npm has picked the package for this
 * platform.
 */
function findPnpm() {
  for (const name of readdirSync(path.join(TOOLS, '@pnpm'))) {
    const candidate = path.join(TOOLS, '@pnpm', name, 'pnpm');
    if (name.startsWith('exe.') && existsSync(candidate)) return candidate;
  }
  return fail(`pnpm has no binary for ${process.platform} ${process.arch}.`);
}

/**
 * Becomes the task as far as a process can: same terminal, same signals, same end. The scripts of package.json start
 * this file with `exec`, because the shell that npm puts between would keep the signals to itself.
 */
function handOver(node, argv) {
  const child = spawn(node, argv, { cwd: ROOT, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
