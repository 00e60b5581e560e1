import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type RunningServer, startProgram } from './running-server.ts';

const SOURCE = path.resolve(import.meta.dirname, '../hand-written');
/** Outside the workspace: the packages take hundreds of megabytes and are only needed by this benchmark. */
const BUILT = path.resolve(import.meta.dirname, '../../.cache/hand-written');
const STAMP = path.join(BUILT, 'stamp');

const SERVING = /^Serving\s+(http:\S+)$/m;

/** The servers of `hand-written`, with the Node arguments that start each. */
const PROGRAMS = {
  'Express with Prisma': ['express/server.ts'],
  'node:http in groups': ['node/server.ts'],
} as const;

export type HandWritten = keyof typeof PROGRAMS;

/** Installs the packages and builds the servers, unless this is done. Takes minutes the first time. */
export function prepareHandWritten(tell: (text: string) => void): void {
  const files = globSync('**/*', { cwd: SOURCE, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  const stamp = hash.digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  tell('installing and building the servers written by hand');
  rmSync(BUILT, { recursive: true, force: true });
  mkdirSync(BUILT, { recursive: true });
  cpSync(SOURCE, BUILT, { recursive: true });
  const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    void execFileSync(program, args, { cwd: BUILT, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 2] });
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']);
  // Generating the client needs no engine, but the command downloads one unless this variable names a program.
  const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  run(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate', '--schema', 'express/schema.prisma'],
    engine,
  );
  writeFileSync(STAMP, stamp);
}

/** Starts a server on an empty database in the folder. `flags` are Node's own. */
export function startHandWritten(
  name: HandWritten,
  folder: string,
  flags: readonly string[] = [],
): Promise<RunningServer> {
  mkdirSync(folder, { recursive: true });
  const env = { NODE_ENV: 'production', DATABASE_FILE: path.join(folder, 'signups.sqlite') };
  return startProgram({ args: [...flags, ...PROGRAMS[name]], env, cwd: BUILT, ready: SERVING });
}

/** Returns the exact versions of the servers' dependencies. */
export function handWrittenVersions(): string {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(SOURCE, 'package.json'), 'utf8'),
  );
  return Object.entries(dependencies)
    .map((version) => version.join(' '))
    .join(', ');
}
