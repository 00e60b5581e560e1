/**
 * Runs a task of this repository on any machine with Node >= 18 and npm:
 * `node scripts/bootstrap.mjs <task> [arguments]`. Provides the required versions of Node and pnpm (from the npm
 * registry, into .tools/), installs the dependencies, and starts scripts/tasks/<task>.ts, or pnpm itself if the task is
 * `pnpm`. Plain JavaScript without dependencies, because nothing is installed yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const TOOLS = path.join(ROOT, '.tools', 'node_modules');
/** Tasks that only need these packages and the root: half of all dependencies. Any other task installs the rest. */
const SITE_TASKS = ['start', 'dev', 'storybook'];
/**
 * Tasks that only need `dependencies`: a quarter of all. They include build tools but not those for tests and
 * documents.
 */
const BUILD_TASKS = ['start', 'dev'];
const SITE = ['site', 'early-access-server', 'early-access-kit', '@early-access-kit/dashboard'];

const env = {
  // A task starts many Node processes with the same modules. This lets all but the first skip compilation.
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compiled'),
  // npm passes its own configuration as variables, which pnpm would use as its own.
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
  // Quiet and quick if nothing is to be done: pnpm checks the lockfile first.
  const filters = SITE_TASKS.includes(task) ? SITE.map((name) => `--filter=${name}`) : [];
  // Otherwise an already installed rest would be removed.
  if (BUILD_TASKS.includes(task) && !existsSync(path.join(ROOT, 'node_modules', 'vitest'))) filters.push('--prod');
  const flags = ['--frozen-lockfile', '--prefer-offline', '--reporter=append-only', ...filters];
  const installed = spawnSync(pnpm, ['install', ...flags], { cwd: ROOT, env, encoding: 'utf8' });
  if (installed.status !== 0) fail(`The dependencies could not be installed.\n${installed.stdout}${installed.stderr}`);
  if (task === 'pnpm') handOver(pnpm, taskArguments);
  else handOver(node, [script, ...taskArguments]);
}

/** Returns the paths of a Node >= 24 and of pnpm's own binary. Missing ones are downloaded from the npm registry. */
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
 * Returns the native binary, because the launcher beside it would swallow signals. npm installed it for this platform.
 */
function findPnpm() {
  for (const name of readdirSync(path.join(TOOLS, '@pnpm'))) {
    const candidate = path.join(TOOLS, '@pnpm', name, 'pnpm');
    if (name.startsWith('exe.') && existsSync(candidate)) return candidate;
  }
  return fail(`pnpm has no binary for ${process.platform} ${process.arch}.`);
}

/**
 * Acts like the task itself: with the same terminal, signals and exit code. The scripts of package.json start this file
 * with `exec`, because npm's shell would not forward signals.
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
