import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/installed-packages');
const FIREBASE_TOOLS = path.resolve(import.meta.dirname, '../firebase-tools');
const MANIFESTS = ['package.json', 'package-lock.json'];

/** Installs firebase-tools on first use, and returns its folder. */
export function installFirebaseTools(): string {
  return path.join(installPackages(FIREBASE_TOOLS), 'firebase-tools');
}

/**
 * Installs the packages in a folder's package.json and lockfile, without install scripts, and returns the path of
 * `node_modules`. Calls with the same files share one folder, even across concurrent processes.
 */
export function installPackages(folder: string): string {
  const files = MANIFESTS.filter((name) => existsSync(path.join(folder, name)));
  const hash = createHash('sha256');
  for (const name of files) hash.update(readFileSync(path.join(folder, name)));
  const installed = path.join(CACHE, hash.digest('hex').slice(0, 16));
  if (!existsSync(installed)) {
    const unfinished = `${installed}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    try {
      for (const name of files) copyFileSync(path.join(folder, name), path.join(unfinished, name));
      runNpm(files.length === MANIFESTS.length ? 'ci' : 'install', unfinished);
      if (!existsSync(installed)) renameSync(unfinished, installed);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return path.join(installed, 'node_modules');
}

function runNpm(command: string, cwd: string): void {
  const { name } = JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8'));
  process.stderr.write(`Installing ${name} (once) ...\n`);
  const options = [command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // The version lists in npm's cache may be older than the lockfile.
  let failure = '';
  for (const source of ['--prefer-offline', '--prefer-online']) {
    const { status, stdout, stderr, error } = spawnSync('npm', [...options, source], { cwd, encoding: 'utf8' });
    if (status === 0) return;
    failure = `${error?.message ?? ''}${stdout}${stderr}`;
  }
  throw new Error(`npm could not install ${name}: ${failure}`);
}
