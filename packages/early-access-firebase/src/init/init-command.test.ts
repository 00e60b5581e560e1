import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { applyPatch } from 'diff';
import { runCommand } from 'early-access-server/internal';
import { beforeEach, describe, expect, it } from 'vitest';
import deployed from '../../deployed/package.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { parameterFile } from '../functions/parameter-file.ts';
import { INDEXES_FILE, RULES_FILE } from '../package-files.ts';
import { initCommand } from './init-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const WRITTEN = [
  'firebase.json',
  'firestore.indexes.json',
  'firestore.rules',
  'functions/.env',
  'functions/.gitignore',
  'functions/package.json',
  'functions/src/index.ts',
  'functions/tsconfig.json',
];

/** Settings that enable all of the functions' pages. */
const ALL_PAGES = { JOIN_PAGE: 'on', FORM_ORIGINS: 'https://shop.example', STATUS_PAGE: 'on', AGENT_DOCS: 'on' };

const PAGES_OF_SETTINGS = /^\/(join|form|status|skill|llms)/;

let folder: string;
/** The questions that `init` asked, with its proposals, and the given answers. */
let asked: string[];
let answers: Readonly<Record<string, string>>;
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  env = {};
  folder = tempFolder();
  asked = [];
  answers = {};
});

const init = (...args: string[]) => run('init', ...args);

const ask = async (question: string, proposal: string) => {
  asked.push(`${question} ${proposal}`);
  return answers[question] ?? proposal;
};

async function run(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const commands = {
    init: initCommand(folder, parameterFile, { ask }),
    check: initCommand(folder, parameterFile, { name: 'check' }),
  };
  const code = await runCommand(commands, args, { env, stdout, stderr }, 'early-access-firebase');
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const readJson = (name: string) => JSON.parse(read(name));
const sources = (): string[] =>
  readJson('firebase.json').hosting.rewrites.flatMap(({ source }: { source?: string }) => source ?? []);
const filesNow = () =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .concat(['functions/.env', 'functions/.gitignore'].filter((name) => existsSync(path.join(folder, name))))
    .toSorted();

function write(files: Readonly<Record<string, object | string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 4));
  }
}

/** Applies the diffs in the output. JSON is compared in its own indentation. */
function applyDiffs(out: string): void {
  for (const text of out.split('Differs  ').slice(1)) {
    const [, diff = ''] = text.split('\n\n');
    const name = /^--- (.+)$/m.exec(diff)?.[1]?.trim() ?? '';
    const patched = applyPatch(`${read(name).trimEnd()}\n`, `${diff}\n`);
    if (patched === false) throw new Error(`the diff of ${name} does not apply`);
    writeFileSync(path.join(folder, name), patched);
  }
}

describe('in a new project', () => {
  it('writes everything, and prints the next steps', async () => {
    const { code, out, err } = await init();
    expect([code, err, filesNow()]).toEqual([0, '', WRITTEN]);
    for (const name of WRITTEN) expect(out).toContain(`Wrote    ${name}\n`);
    expect(out).toContain('Set MAIL_FROM, PUBLIC_URL and ADMIN_EMAIL in functions/.env.');
    // Without a selected project, the later commands would fail.
    expect(out).toMatch(/firebase use --add .*firebase functions:secrets:set .*firebase deploy/s);
  });

  it('does not name the step that the script which runs it takes itself', async () => {
    const setup = 'early-access-firebase init && npm --prefix functions install --loglevel=error';
    write({ 'package.json': { scripts: { setup, init: 'early-access-firebase init' } } });
    env = { npm_lifecycle_event: 'setup' };
    const { out } = await init();
    expect(out).toMatch(/Next:\n {2}1\. npm --prefix functions run emulators serves .*\n {2}5\. firebase deploy\n$/s);
    expect(out).not.toContain('functions install');
    for (const running of [{ npm_lifecycle_event: 'init' }, {}]) {
      env = running;
      expect((await init()).out).toContain('1. npm --prefix functions install\n');
    }
  });

  it('names the scripts of the project that build its pages first', async () => {
    write({ 'package.json': { scripts: { build: 'vite build', emulators: '…', deploy: '…' } } });
    const { out } = await init();
    expect(out).toMatch(/2\. npm run emulators serves dist .*6\. npm run deploy\n/s);
    expect(out).not.toContain('firebase deploy');
  });

  it('changes nothing when it runs again', async () => {
    await init();
    const before = WRITTEN.map(read);
    const { code, out } = await init();
    expect(code).toBe(0);
    expect(out).not.toContain('Wrote');
    expect(WRITTEN.map(read)).toEqual(before);
  });

  it('writes the same rules and indexes that are deployed here', async () => {
    await init();
    expect(read('firestore.rules')).toBe(readFileSync(RULES_FILE, 'utf8'));
    expect(readJson('firestore.indexes.json')).toEqual(JSON.parse(readFileSync(INDEXES_FILE, 'utf8')));
  });

  it('has the rewrites and headers of the functions that this repository deploys', async () => {
    write({
      'functions/.env': Object.entries(ALL_PAGES)
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
    });
    await init();
    const { hosting } = JSON.parse(readFileSync(path.join(REPOSITORY, 'firebase.json'), 'utf8'));
    const own = readJson('firebase.json').hosting;
    const bySource = (rules: { source: string }[]) => rules.toSorted((a, b) => (a.source < b.source ? -1 : 1));
    expect(bySource(own.rewrites)).toEqual(bySource(hosting.rewrites));
    for (const rule of own.headers) expect(hosting.headers).toContainEqual(rule);
  });

  it.each(Object.entries(ALL_PAGES))('leaves pages to the site until a setting enables them: %s', async (name, on) => {
    await init();
    const before = sources();
    expect(before).not.toEqual(expect.arrayContaining([expect.stringMatching(PAGES_OF_SETTINGS)]));
    write({ 'functions/.env': `${name}=${on}\n` });
    for (const command of ['check', 'init']) {
      const { code, out } = await run(command);
      expect([code, out]).toEqual([1, expect.stringContaining('Differs  firebase.json')]);
      if (command === 'init') applyDiffs(out);
    }
    expect(sources().length).toBeGreaterThan(before.length);
    expect(await init()).toMatchObject({ code: 0 });
  });

  it('has an index of three lines, and every parameter with its default', async () => {
    await init();
    expect(read('functions/src/index.ts').trimEnd().split('\n').length).toBeLessThanOrEqual(3);
    expect(parseEnv(read('functions/.env'))).toMatchObject({
      CONFIRM: 'off',
      MAILS_PER_HOUR: '200',
      ADMIN_EMAIL: '',
    });
    expect(read('functions/.env')).toContain('#MAIL_FROM=\n');
    expect(read('functions/.env')).not.toMatch(/^#?SMTP_URL=/m);
  });

  it('has the versions that are tested here', async () => {
    await init();
    const { 'firebase-admin': admin, 'firebase-functions': functions } = packageJson.devDependencies;
    const { dependencies, devDependencies } = readJson('functions/package.json');
    expect(devDependencies).toMatchObject({ 'early-access-firebase': packageJson.version });
    // The bundle contains everything else.
    expect(dependencies).toEqual({
      '@google-cloud/firestore': deployed.dependencies['@google-cloud/firestore'],
      'firebase-admin': admin,
      'firebase-functions': functions,
    });
  });

  it('writes the functions into another folder on request, and finds them there again', async () => {
    expect(await init('--functions', 'backend')).toMatchObject({ code: 0 });
    expect(readJson('firebase.json').functions).toMatchObject([{ source: 'backend' }]);
    expect(existsSync(path.join(folder, 'functions'))).toBe(false);
    expect(await init()).toMatchObject({ code: 0 });
    expect(existsSync(path.join(folder, 'functions'))).toBe(false);
  });
});

describe('the site’s folder and the region', () => {
  const REGION = 'The region of the database and the functions?';
  const SITE = 'The folder of the pages?';
  const BUILT = { 'package.json': { scripts: { build: 'vite build' } } };
  const regions = () => [
    ...new Set(
      readJson('firebase.json').hosting.rewrites.flatMap((rule: { function?: { region: string } }) =>
        rule.function ? [rule.function.region] : [],
      ),
    ),
  ];

  it('are asked for, and written everywhere', async () => {
    answers = { [REGION]: 'europe-west1', [SITE]: 'www' };
    expect(await init()).toMatchObject({ code: 0, out: expect.stringContaining('whose database is in europe-west1.') });
    expect(asked).toEqual([`${SITE} public`, `${REGION} us-central1`]);
    const { hosting } = readJson('firebase.json');
    expect(hosting).toMatchObject({ public: 'www', predeploy: [expect.stringContaining('dashboard www/admin')] });
    expect(regions()).toEqual(['europe-west1']);
    expect(parseEnv(read('functions/.env'))).toMatchObject({ FUNCTIONS_REGION: 'europe-west1' });
    asked = [];
    expect(await init()).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
  });

  it('are not asked for if they are given', async () => {
    expect(await init('--public', 'www', '--region', 'asia-east1')).toMatchObject({ code: 0 });
    expect([asked, readJson('firebase.json').hosting.public, regions()]).toEqual([[], 'www', ['asia-east1']]);
  });

  it.each([
    ['a build', BUILT, 'dist'],
    ['a page in public and a build that only copies into it', { ...BUILT, 'public/index.html': '' }, 'public'],
    ['neither', {}, 'public'],
  ])('of a project with %s: %o', async (_, files, expected) => {
    write(files);
    await init();
    expect(readJson('firebase.json').hosting.public).toBe(expected);
  });

  it('of an existing project win', async () => {
    write({ 'firebase.json': { hosting: { public: 'www' } } });
    applyDiffs((await init('--region', 'europe-west1')).out);
    expect(await init()).toMatchObject({ code: 0 });
    expect(await init('--public', 'dist')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has the pages in www'),
    });
    expect(await init('--region', 'us-east1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has FUNCTIONS_REGION=europe-west1; change it there'),
    });
    // The paths follow the settings.
    write({ 'functions/.env': 'FUNCTIONS_REGION=us-east1\n' });
    const { code, out } = await init();
    expect(code).toBe(1);
    applyDiffs(out);
    expect(regions()).toEqual(['us-east1']);
  });

  it('a region must be one of functions, not a database location', async () => {
    expect(await init('--region', 'eur3')).toMatchObject({
      code: 1,
      err: expect.stringContaining('europe-west4 for eur3'),
    });
    expect(filesNow()).toEqual([]);
  });
});

/** A project with functions and a site, as written by `firebase init`. */
const EXISTING = {
  'firebase.json': {
    firestore: { rules: 'db/my.rules', indexes: 'db/indexes.json' },
    functions: { source: 'functions', codebase: 'default' },
    hosting: {
      public: 'dist',
      rewrites: [{ source: '**', destination: '/index.html' }],
      headers: [{ source: '**', headers: [{ key: 'X-Frame-Options', value: 'DENY' }] }],
    },
  },
  'db/my.rules': 'rules_version = "2";\n',
  'db/indexes.json': {
    indexes: [],
    fieldOverrides: [{ collectionGroup: 'sessions', fieldPath: 'expires_at', indexes: [] }],
  },
  'functions/package.json': { name: 'mine' },
  'functions/src/index.ts': 'export const mine = 1;\n',
};
const OWN_FOLDER = ['--functions', 'early-access-functions'] as const;

describe('in an existing project', () => {
  beforeEach(() => write(EXISTING));

  it('overwrites nothing, and shows the required changes', async () => {
    const before = Object.keys(EXISTING).map(read);
    const { code, out, err } = await init(...OWN_FOLDER);
    expect([code, err]).toEqual([1, '']);
    expect(Object.keys(EXISTING).map(read)).toEqual(before);
    for (const name of ['firebase.json', 'db/my.rules', 'db/indexes.json']) {
      expect(out).toContain(`Differs  ${name}, which was not changed:`);
    }
    expect(out).toMatch(/^\+.*"codebase": "early-access"/m);
    expect(out).not.toMatch(/^-.*(X-Frame-Options|"dist"|"my.rules")/m);
    expect(out).toContain('Wrote    early-access-functions/src/index.ts\n');
    expect(out).toContain('run init again');
  });

  it('reports nothing once the diffs are applied, and keeps everything of the project', async () => {
    applyDiffs((await init(...OWN_FOLDER)).out);
    const before = filesNow().map(read);
    const { code, out } = await init();
    expect([code, out]).toEqual([0, expect.not.stringMatching(/Wrote|Differs/)]);
    expect(filesNow().map(read)).toEqual(before);

    const { firestore, functions, hosting } = readJson('firebase.json');
    const own = EXISTING['firebase.json'];
    expect(firestore).toEqual(own.firestore);
    expect(functions).toEqual([own.functions, expect.objectContaining({ codebase: 'early-access' })]);
    expect(hosting.public).toBe('dist');
    expect(hosting.predeploy).toEqual([
      'npx --prefix early-access-functions early-access-firebase dashboard dist/admin',
    ]);
    // The catch-all rewrite comes last, and headers of private responses follow all others.
    expect(hosting.rewrites.at(-1)).toEqual(own.hosting.rewrites[0]);
    expect(hosting.headers[0]).toEqual(own.hosting.headers[0]);
    const { fieldOverrides } = readJson('db/indexes.json');
    const sessions = fieldOverrides.filter(
      (field: Record<string, unknown>) => field.collectionGroup === 'sessions' && field.fieldPath === 'expires_at',
    );
    expect(sessions).toEqual([{ ...EXISTING['db/indexes.json'].fieldOverrides[0], ttl: true }]);
  });

  it('rejects a folder with other functions, and names the option', async () => {
    expect(await init()).toEqual({
      code: 1,
      out: '',
      err: 'early-access-firebase: functions has the functions of the codebase "default"; choose another folder: init --functions early-access-functions\n',
    });
    expect(existsSync(path.join(folder, 'firestore.rules'))).toBe(false);
  });

  it('rejects a second folder', async () => {
    applyDiffs((await init(...OWN_FOLDER)).out);
    expect(await init('--functions', 'elsewhere')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has the functions in early-access-functions; run init without --functions'),
    });
  });

  it('keeps the settings of several databases and sites', async () => {
    const named = { database: 'other', rules: 'other.rules' };
    const sites = [
      { target: 'app', public: 'app' },
      { target: 'docs', public: 'docs' },
    ];
    write({ 'firebase.json': { firestore: [named, EXISTING['firebase.json'].firestore], hosting: sites } });
    rmSync(path.join(folder, 'functions'), { recursive: true });
    applyDiffs((await init()).out);
    const { firestore, hosting } = readJson('firebase.json');
    expect(firestore).toEqual([named, EXISTING['firebase.json'].firestore]);
    expect(hosting).toEqual([expect.objectContaining({ target: 'app', rewrites: expect.any(Array) }), sites[1]]);
  });

  it('accepts rules and an index that contain more than ours', async () => {
    applyDiffs((await init(...OWN_FOLDER)).out);
    const rules = read('db/my.rules').replace(
      /^( *)match \/email_signups/m,
      '    match /mine/{id} { allow read; }\n$&',
    );
    expect(rules).toContain('/mine/');
    write({ 'db/my.rules': rules });
    const index = 'early-access-functions/src/index.ts';
    write({ [index]: `${read(index)}export const mine = 1;\n` });
    expect(await init()).toMatchObject({ code: 0 });
    write({ 'db/my.rules': rules.replace(/^.*allow create.*\n/m, '') });
    expect(await init()).toMatchObject({ code: 1, out: expect.stringMatching(/^\+.*allow create/m) });
  });

  it.each([
    'match /{document=**} { allow read, write: if request.time < timestamp.date(2026, 12, 31); }',
    'match /{document=**} { allow read; }',
  ])('rejects rules that give anyone access to the data, even after the diffs are applied: %s', async (open) => {
    applyDiffs((await init(...OWN_FOLDER)).out);
    expect(await run('check')).toMatchObject({ code: 0 });
    const rules = read('db/my.rules').replace(/^ *match \/email_signups/m, `    ${open}\n$&`);
    const line = rules.split('\n').findIndex((text) => text.includes(open)) + 1;
    write({ 'db/my.rules': rules });
    for (const command of ['init', 'check']) {
      const { code, out } = await run(command);
      expect(code).toBe(1);
      expect(out).toContain(
        `Open     db/my.rules, which was not changed:\n\n  line ${line}: allow at /databases/{database}/documents/{document=**}\n`,
      );
      expect(out).toContain('match /posts/{id}');
      expect(out).not.toMatch(/Exists +db\/my.rules|Next:/);
    }
  });

  it('compares the rules with those for the project’s own settings', async () => {
    applyDiffs((await init(...OWN_FOLDER)).out);
    const functions = 'early-access-functions';
    write({
      [`${functions}/fields.json`]: { company: { type: 'text', label: 'Company' } },
      [`${functions}/.env`]: 'SIGNUP_FIELDS=fields.json\nRETENTION_DAYS=90\n',
      [`${functions}/.env.my-project`]: 'HUMAN_CHECK=turnstile\n',
      '.firebaserc': { projects: { default: 'my-project' } },
    });
    const openSignups = () =>
      write({ 'db/my.rules': read('db/my.rules').replace(/(signupsAreDirect\(\) \{\s+return) false/, '$1 true') });
    openSignups();
    const { code, out } = await init();
    expect(code).toBe(1);
    expect(out).toMatch(/^- +return true;\n\+ +return false;/m);
    expect(out).toMatch(/^\+ +return 90;/m);
    expect(out).toMatch(/^\+.*isOwnText\(values\['company'\], 200\)/m);
    applyDiffs(out);
    expect(await init()).toMatchObject({ code: 0, out: expect.not.stringMatching(/Differs|Open/) });
    // Without a human check, the project decides whether browsers write signups.
    write({ [`${functions}/.env.my-project`]: 'HUMAN_CHECK=off\n' });
    expect(await init()).toMatchObject({ code: 0, out: expect.not.stringMatching(/Differs|Open/) });
    openSignups();
    expect(await init()).toMatchObject({ code: 0, out: expect.not.stringMatching(/Differs|Open/) });
    write({ [`${functions}/.env`]: 'RETENTION_DAYS=never\n' });
    expect(await init()).toMatchObject({ code: 1, err: expect.stringContaining('RETENTION_DAYS must be') });
  });

  it('never shows or changes the settings', async () => {
    await init(...OWN_FOLDER);
    write({ 'early-access-functions/.env': 'MAIL_FROM=secret@example.com\n' });
    const { out } = await init(...OWN_FOLDER);
    expect(out).toContain('Exists   early-access-functions/.env\n');
    expect(out).not.toContain('secret@example.com');
    expect(read('early-access-functions/.env')).toBe('MAIL_FROM=secret@example.com\n');
  });
});

it.each([
  ['{ // a comment\n}', 'comments are not supported'],
  ['[]', 'is not a JSON object'],
])('names a firebase.json that cannot be parsed: %j', async (content, message) => {
  write({ 'firebase.json': content });
  expect(await init()).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
});

it('checks without writing', async () => {
  expect(await run('check')).toMatchObject({ code: 1, out: expect.stringContaining('Missing  firestore.rules\n') });
  expect(filesNow()).toEqual([]);
  await init();
  expect(await run('check')).toMatchObject({ code: 0, out: expect.not.stringMatching(/Missing|Next/) });
});

it('names a folder that cannot be written', async () => {
  write({ functions: 'a file' });
  expect(await init()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/functions.+ cannot be written: \w+; choose/),
  });
});

it('prints its usage', async () => {
  expect(await init('--force')).toEqual({
    code: 2,
    out: '',
    err: 'early-access-firebase: usage: init [--functions <folder>] [--public <folder>] [--region <region>]\n',
  });
});
