import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EMULATORS } from './emulators.ts';
import { ROOT, type RunResult, run } from './run.ts';

/** What is built, from which files, and what has to be built before. */
interface Part {
  readonly folder: string;
  /** Where in it the output lies, if not in `dist`. */
  readonly output?: string;
  readonly inputs: readonly string[];
  /** Variables that end up in the output. */
  readonly variables?: readonly string[];
  /** Variables that make it this part, and not another one of the same folder. */
  readonly env?: NodeJS.ProcessEnv;
  readonly needs?: readonly PartName[];
}

export type PartName = 'kit' | 'server' | 'functions' | 'site' | 'site-firestore' | 'site-emulator';

const SITE = {
  folder: 'site',
  inputs: ['src/**/*', 'build/**/*', 'public/**/*', '*.html', '*.ts', 'package.json', '../firebase.json'],
  needs: ['kit'],
} as const;

const PARTS: Readonly<Record<PartName, Part>> = {
  kit: {
    folder: 'packages/early-access-kit',
    inputs: ['src/**/*', 'build/**/*', 'package.json', 'tsup.config.ts', 'tsconfig.json'],
  },
  server: {
    folder: 'packages/server',
    inputs: ['src/**/*', 'package.json', 'tsup.config.ts', '../{welcome-email,backend}/src/**/*'],
    needs: ['kit'],
  },
  functions: {
    folder: 'packages/functions',
    inputs: ['src/**/*', 'package.json', 'tsup.config.ts', '../{welcome-email,backend}/src/**/*'],
    needs: ['kit'],
  },
  site: { ...SITE, variables: ['PUBLIC_URL'], env: { STORAGE: 'http' } },
  'site-firestore': {
    ...SITE,
    output: 'dist-firestore',
    variables: [
      'PUBLIC_URL',
      'FIREBASE_CONFIG',
      'FIREBASE_PROJECT_ID',
      'FIREBASE_API_KEY',
      'FIREBASE_APP_ID',
      'FUNCTIONS_REGION',
      'RETENTION_DAYS',
      'APP_CHECK_SITE_KEY',
    ],
    env: { STORAGE: 'firestore', FIRESTORE_URL: '', FUNCTIONS_URL: '' },
  },
  'site-emulator': {
    ...SITE,
    output: 'dist-emulator',
    variables: ['PUBLIC_URL'],
    env: {
      STORAGE: 'firestore',
      FIREBASE_CONFIG: JSON.stringify({ projectId: EMULATORS.projectId, apiKey: 'demo-key' }),
      FIREBASE_PROJECT_ID: '',
      FIREBASE_API_KEY: '',
      FUNCTIONS_REGION: '',
      RETENTION_DAYS: '',
      APP_CHECK_SITE_KEY: '',
      FIRESTORE_URL: EMULATORS.firestoreUrl,
      FUNCTIONS_URL: EMULATORS.functionsUrl,
    },
  },
};

/** Builds a part, whose needs are built already, unless its inputs are those of the last build. */
export async function buildPart(name: PartName): Promise<RunResult & { cached: boolean }> {
  const { folder, output = 'dist', env = {} } = PARTS[name];
  const stamp = path.join(ROOT, 'node_modules', '.cache', 'build', name);
  const fingerprint = fingerprintOf(name);
  const built = existsSync(path.join(ROOT, folder, output));
  if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint)
    return { code: 0, output: '', cached: true };
  rmSync(stamp, { force: true });
  const result = await run('pnpm', ['run', 'build'], { cwd: folder, env: { NODE_ENV: 'production', ...env } });
  if (result.code === 0) {
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, fingerprint);
  }
  return { ...result, cached: false };
}

/** Builds everything that `npm start` serves; ends the process where that fails. */
export async function buildAll(): Promise<void> {
  await buildOrExit('kit');
  await Promise.all([buildOrExit('server'), buildOrExit('site')]);
}

/**
 * Builds everything that is deployed to Firebase. `firebase.deploy.json` has to lie at the root, because its paths start there, and
 * is not `firebase.json`, because it belongs to one project and one build.
 */
export async function buildForFirebase(): Promise<void> {
  await buildOrExit('kit');
  await Promise.all([buildOrExit('functions'), buildOrExit('site-firestore')]);
  copyFileSync(path.join(ROOT, 'site/dist-firestore/firebase.json'), path.join(ROOT, 'firebase.deploy.json'));
  // Answers to the functions' parameters, which `firebase deploy` looks for beside the code, and a build would wipe away.
  for (const file of globSync('.env.*', { cwd: path.join(ROOT, 'packages/functions') })) {
    copyFileSync(path.join(ROOT, 'packages/functions', file), path.join(ROOT, 'packages/functions/dist', file));
  }
  console.error('Deploy with: firebase deploy --config firebase.deploy.json');
}

export async function buildOrExit(name: PartName): Promise<void> {
  const { code, output, cached } = await buildPart(name);
  if (code !== 0) {
    process.stderr.write(output);
    console.error(`\nThe build of ${PARTS[name].folder} failed.`);
    process.exit(1);
  }
  // Not on standard output, which may be an export on its way into a file.
  console.error(`${path.join(PARTS[name].folder, PARTS[name].output ?? '')}: ${cached ? 'up to date' : 'built'}`);
}

function fingerprintOf(name: PartName): string {
  const { folder, inputs, variables = [], env = {}, needs = [] } = PARTS[name];
  const hash = createHash('sha256');
  hash.update(readFileSync(path.join(ROOT, 'pnpm-lock.yaml')));
  hash.update(process.version);
  hash.update(JSON.stringify(env));
  for (const variable of variables) hash.update(`${variable}=${process.env[variable] ?? ''}\n`);
  const files = globSync([...inputs], { cwd: path.join(ROOT, folder), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
  return [...needs.map(fingerprintOf), hash.digest('hex')].join('\n');
}
