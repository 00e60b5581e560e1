import { existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { findFirestoreEmulator } from './firestore-emulator.ts';
import { postgresFiles } from './postgres-server.ts';
import { hasPlaywright, installedChromium, installedFirefox, programOnPath } from './programs.ts';

/** A program or resource that work on this repository requires. */
export interface Finding {
  readonly name: string;
  readonly purpose: string;
  /** Its path, version or amount; null if it is missing. */
  readonly found: string | null;
  /** How to get it. */
  readonly fix: string;
  /** `npm test` cannot pass without it. */
  readonly isRequired: boolean;
}

const NODE_MAJOR = 24;
/** Space for the dependencies, the builds and the tests' browsers. */
const DISK_GB = 5;
const GB = 1e9;
const PORTS = [
  { port: 4173, purpose: 'npm start', fix: 'stop the program that has it, or set PORT' },
  { port: 6006, purpose: 'npm run storybook', fix: 'stop the program that has it' },
];
const ENGINES = 'npm run pnpm -- --filter e2e exec playwright install --with-deps firefox webkit';

/** Checks for everything that work on this repository requires. Changes nothing. `folder` is the repository. */
export async function inspectMachine(folder: string): Promise<readonly Finding[]> {
  return [findNode(), findGit(), findDisk(folder), ...(await Promise.all(PORTS.map(findPort))), ...findPrograms()];
}

/** Returns one line, plus one with the fix if it is missing. */
export function formatFinding({ name, purpose, found, fix, isRequired }: Finding): string {
  const mark = found === null ? (isRequired ? 'missing' : 'absent') : 'ok';
  const line = `${mark.padEnd(8)} ${name.padEnd(20)} ${found ?? `for ${purpose}`}`;
  return found === null ? `${line}\n${' '.repeat(9)}${fix}` : line;
}

function findNode(): Finding {
  const { node } = process.versions;
  const isNew = Number.parseInt(node, 10) >= NODE_MAJOR;
  const fix = `start it as npm run doctor, which provides Node ${NODE_MAJOR}`;
  return { name: 'Node', purpose: 'everything', found: isNew ? node : null, fix, isRequired: true };
}

function findGit(): Finding {
  const fix = 'apt-get install git, or https://git-scm.com';
  return { name: 'git', purpose: 'npm test', found: programOnPath(['git']) ?? null, fix, isRequired: true };
}

function findDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / GB;
  const found = free >= DISK_GB ? `${Math.floor(free)} GB are free` : null;
  return { name: 'disk space', purpose: 'npm test', found, fix: `free ${DISK_GB} GB`, isRequired: true };
}

async function findPort({ port, purpose, fix }: (typeof PORTS)[number]): Promise<Finding> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  server.close();
  return { name: `port ${port}`, purpose, found: isFree ? 'free' : null, fix, isRequired: false };
}

function findPrograms(): readonly Finding[] {
  const emulator = findFirestoreEmulator();
  const hasWebKit = hasPlaywright('webkit');
  const firefox = hasPlaywright('firefox') ? "Playwright's" : (installedFirefox() ?? null);
  const onPath = (name: string) => programOnPath([name]) ?? null;
  const optional = [
    {
      name: 'Chromium',
      purpose: 'the tests in a browser, which use the headless shell of an npm package until then',
      found: installedChromium() ?? null,
      fix: 'apt-get install chromium chromium-headless-shell fonts-liberation, or set CHROME_PATH',
    },
    { name: 'Firefox', purpose: 'npm run task -- test:engines', found: firefox, fix: ENGINES },
    { name: 'WebKit', purpose: 'npm run task -- test:engines', found: hasWebKit ? "Playwright's" : null, fix: ENGINES },
    { name: 'wrk', purpose: 'npm run bench', found: onPath('wrk'), fix: 'apt-get install wrk, or brew install wrk' },
    {
      name: 'Firestore emulator',
      purpose: `the tests on Firestore, and npm run start:firebase: ${typeof emulator === 'string' ? emulator : ''}`,
      found: typeof emulator === 'string' ? null : emulator.jar,
      fix: 'install Java 17 or newer, then: npx firebase-tools setup:emulators:firestore',
    },
    {
      name: 'Postgres',
      purpose: 'npm run task -- test:postgres',
      found: findPostgres(),
      fix: 'npm run pnpm -- install; there are servers for Linux and macOS on arm64 and x64',
    },
    { name: 'Caddy', purpose: 'the tests behind proxies', found: onPath('caddy'), fix: 'apt-get install caddy' },
    { name: 'nginx', purpose: 'the tests behind proxies', found: onPath('nginx'), fix: 'apt-get install nginx' },
  ];
  return optional.map((finding) => ({ ...finding, isRequired: false }));
}

function findPostgres(): string | null {
  try {
    const files = postgresFiles();
    return existsSync(files) ? files : null;
  } catch {
    return null;
  }
}
