import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type RunningServer, startProgram } from './running-server.ts';

const SOURCE = path.resolve(import.meta.dirname, '../hand-written');
/** Outside the workspace: its packages take 700 MB, and nothing but this benchmark needs them. */
const BUILT = path.resolve(import.meta.dirname, '../../.cache/hand-written');
const STAMP = path.join(BUILT, 'stamp');

const SERVING = /^Serving\s+(http:\S+)$/m;

/** The servers of `hand-written`: the arguments of Node that start each, and what it prints then. */
const PROGRAMS = {
  'Next.js with better-sqlite3': {
    args: ['node_modules/next/dist/bin/next', 'start', 'next', '--port', '0', '--hostname', '127.0.0.1'],
    ready: /Local:\s+(http:\S+)[\s\S]*Ready in/,
  },
  'Express with Prisma': { args: ['express/server.ts'], ready: SERVING },
  'node:http in groups': { args: ['node/server.ts'], ready: SERVING },
} as const;

export type HandWritten = keyof typeof PROGRAMS;

/** Installs the packages and builds what has to be built, unless it is done. Takes minutes the first time. */
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
  // Generating the client needs no engine, but its command downloads one unless this names a program.
  const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  run(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate', '--schema', 'express/schema.prisma'],
    engine,
  );
  run(process.execPath, ['node_modules/next/dist/bin/next', 'build', 'next'], { NEXT_TELEMETRY_DISABLED: '1' });
  writeFileSync(STAMP, stamp);
}

/** Starts one of them on an empty database in the folder. `flags` are Node's own. */
export function startHandWritten(
  name: HandWritten,
  folder: string,
  flags: readonly string[] = [],
): Promise<RunningServer> {
  const { args, ready } = PROGRAMS[name];
  mkdirSync(folder, { recursive: true });
  const env = {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_FILE: path.join(folder, 'signups.sqlite'),
  };
  return startProgram({ args: [...flags, ...args], env, cwd: BUILT, ready });
}

/** The exact versions that these servers ask for. */
export function handWrittenVersions(): string {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(SOURCE, 'package.json'), 'utf8'),
  );
  return Object.entries(dependencies)
    .map((version) => version.join(' '))
    .join(', ');
}
