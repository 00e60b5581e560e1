import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, test } from 'vitest';
import { FRAMEWORKS } from './choices.ts';
import { create } from './create.ts';

const VITE = ['--framework', 'vite', '--store', 'sqlite'];

/** Runs the program in a folder and returns its output. Each of `keys` is pressed when a question is shown. */
async function run(argv: readonly string[], { cwd = tempFolder(), env = {}, keys }: Settings = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const isTTY = keys !== undefined;
  const printed = [text(stdout), text(stderr)];
  const pressed = [...(keys ?? [])];
  stdout.on('data', (data: Buffer) => {
    // This character ends a question that waits for an answer.
    if (data.toString().includes('└') && pressed.length > 0) stdin.write(pressed.shift());
  });
  const terminal = {
    stdin: Object.assign(stdin, { isTTY, setRawMode: () => {} }),
    stdout: Object.assign(stdout, { isTTY }),
    stderr,
    env,
    cwd,
  };
  const code = await create(argv, terminal);
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(printed);
  return { code, out, err, cwd, files: readdirSync(cwd) };
}

interface Settings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly keys?: readonly string[];
}

describe('the project', () => {
  test('is written with the name of its folder and the versions of this release', async () => {
    const { code, out, err, cwd } = await run(['My App', ...VITE, '--no-install']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const manifest = JSON.parse(readFileSync(path.join(cwd, 'My App/package.json'), 'utf8'));
    const kit = JSON.parse(readFileSync(new URL('../../early-access-kit/package.json', import.meta.url), 'utf8'));
    expect(manifest).toMatchObject({ name: 'my-app', private: true });
    expect(manifest.dependencies['early-access-kit']).toBe(`^${kit.version}`);
    expect(manifest).not.toHaveProperty('license');
    expect(out).toContain('npm install');
    expect(out).toContain('npm run dev');
  });

  const mounted = ['next', 'astro'];
  const choices = Object.keys(FRAMEWORKS).flatMap((framework) =>
    ['sqlite', 'postgres'].map((store) => ({ framework, store })),
  );
  test.each(choices)(
    'has settings that git ignores, and no remaining placeholder: $framework, $store',
    async ({ framework, store }) => {
      const { cwd, out } = await run(['app', '--framework', framework, '--store', store, '--no-install']);
      const files = readdirSync(path.join(cwd, 'app'), { recursive: true, withFileTypes: true });
      const texts = files
        .filter((file) => file.isFile())
        .map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'));
      expect(texts.filter((content) => /\{\{|0\.1\.0/.test(content))).toEqual([]);
      expect(readFileSync(path.join(cwd, 'app/.gitignore'), 'utf8')).toMatch(/^\.env$/m);
      const settings = readFileSync(path.join(cwd, 'app/.env'), 'utf8');
      expect(settings).toMatch(/^#ADMIN_EMAIL=/m);
      expect(settings).toMatch(/^#CONFIRM=on$/m);
      // With SMTP_URL, a server requires MAIL_FROM to start. Without TRUST_PROXY behind a proxy, all visitors share
      // the rate limits.
      const readme = readFileSync(path.join(cwd, 'app/README.md'), 'utf8');
      for (const name of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL', 'TRUST_PROXY']) {
        expect([name, settings.includes(`#${name}=`), readme.includes(name)]).toEqual([name, true, true]);
      }
      for (const [line] of settings.matchAll(/^SITE_DIR=.+/gm)) expect(readme).toContain(`\`${line}\``);
      expect(/^DATABASE_URL=/m.test(settings)).toBe(store === 'postgres');
      expect(out.includes('set DATABASE_URL in .env')).toBe(store === 'postgres');
      // The settings determine the store.
      expect(texts.some((content) => content.includes('optionsFromEnv(process.env)'))).toBe(
        mounted.includes(framework),
      );
      expect(texts.filter((content) => /(sqlite|postgres)Store/.test(content))).toEqual([]);
      expect(files.filter(({ name }) => name === 'page.css')).toHaveLength(1);
      expect(texts.some((content) => /(import|href=)\S*\s*['"].*\/page\.css['"]/.test(content))).toBe(true);
      expect(JSON.parse(readFileSync(path.join(cwd, 'app/package.json'), 'utf8')).scripts).toHaveProperty('dev');
    },
  );

  test.each([
    ['vite', 'dist'],
    ['html', 'public'],
  ])('on Firestore has no server, and describes how to set it up: %s', async (framework, site) => {
    const { cwd, out } = await run(['app', '--framework', framework, '--store', 'firestore', '--no-install']);
    const read = (name: string) => readFileSync(path.join(cwd, 'app', name), 'utf8');
    const { scripts, dependencies, devDependencies = {} } = JSON.parse(read('package.json'));
    expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('early-access-server');
    expect(dependencies).toHaveProperty('early-access-firebase');
    // `init` uses these scripts to find the folder of the pages.
    expect(scripts).toMatchObject({
      build: expect.any(String),
      setup: expect.stringContaining('early-access-firebase init'),
    });
    expect(readdirSync(path.join(cwd, 'app')).includes('public')).toBe(site === 'public');
    // Signups go through a function, which Vite's development server does not run.
    if (framework === 'vite') expect(read('vite.config.ts')).toContain("'/api': emulators");
    expect(out).toMatch(/npm run setup\s.*npm run emulators/s);
    const files = readdirSync(path.join(cwd, 'app'), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'));
    expect(files.filter((content) => /\{\{|httpAdapter|null/.test(content))).toEqual([]);
    expect(files.some((content) => content.includes('firestoreAdapter(firebaseConfig)'))).toBe(true);
    expect(files.some((content) => /(import|href=)\S*\s*['"].*\/page\.css['"]/.test(content))).toBe(true);
  });

  test.each([[['--framework', 'next', '--store', 'firestore']], [['--store', 'firestore', '--framework', 'astro']]])(
    'on Firestore is rejected for server-rendered pages: %j',
    async (options) => {
      expect(await run(['app', ...options])).toMatchObject({
        code: 2,
        err: 'create-early-access: Firestore needs static pages: choose vite or html\n',
        files: [],
      });
    },
  );

  test('prints which of the two URLs of Vite and the server has the page', async () => {
    const { cwd } = await run(['app', ...VITE, '--no-install']);
    expect(readFileSync(path.join(cwd, 'app/README.md'), 'utf8')).toContain('the page at http://localhost:5173');
  });

  test.skipIf(process.platform === 'win32')('has settings that only its owner may read', async () => {
    const { cwd } = await run(['app', ...VITE, '--no-install']);
    const readMode = (file: string) => statSync(path.join(cwd, 'app', file)).mode & 0o777;
    expect(readMode('.env')).toBe(0o600);
    expect(readMode('package.json')).toBe(0o666 & ~process.umask());
  });

  test('is written into an empty folder, or one with only a repository', async () => {
    const cwd = tempFolder();
    mkdirSync(path.join(cwd, '.git'));
    const { code, files } = await run(['.', ...VITE, '--no-install'], { cwd });
    expect(code).toBe(0);
    expect(files).toContain('package.json');
  });

  test('gets the defaults with --yes', async () => {
    const { code, cwd } = await run(['--yes', '--no-install']);
    expect(code).toBe(0);
    expect(readdirSync(path.join(cwd, 'early-access'))).toContain('vite.config.ts');
  });
});

describe('questions', () => {
  test('are answered by keys', async () => {
    const { code, cwd } = await run(['--no-install'], { keys: ['shop\r', '\x1b[A\r', '\r'] });
    expect(code).toBe(0);
    expect(readdirSync(path.join(cwd, 'shop/public'))).toEqual(['index.html', 'page.css']);
  });

  test.each([1, 2, 3])('Ctrl+C at question %i leaves nothing behind', async (question) => {
    const keys = [...['shop\r', '\r'].slice(0, question - 1), '\x03'];
    const { code, err, files } = await run([], { keys });
    expect({ code, err, files }).toEqual({
      code: 130,
      err: 'create-early-access: canceled; nothing was written\n',
      files: [],
    });
  });

  test('another folder is asked for if the first one cannot be used', async () => {
    const cwd = tempFolder();
    writeFileSync(path.join(cwd, 'notes'), '');
    const { code, out } = await run(['--no-install', ...VITE], { cwd, keys: ['notes\r', '2\r'] });
    expect(code).toBe(0);
    expect(out).toContain('is a file');
    expect(readdirSync(cwd).sort()).toEqual(['notes', 'notes2']);
  });

  test('end the program without a terminal', async () => {
    const { code, err, files } = await run(['app']);
    expect(code).toBe(2);
    expect(err).toBe(
      'create-early-access: there is no terminal to ask in; pass --framework, or pass --yes for the defaults\n',
    );
    expect(files).toEqual([]);
  });
});

describe('one line on standard error', () => {
  test.each([
    [['app', 'other'], 'name only one folder, without "other"'],
    [['--framework', 'vue'], /^--framework must be one of vite, .*, not "vue"$/],
    [['--store', 'redis'], /^--store must be one of sqlite.*, not "redis"$/],
    [['--package-manager', 'make'], '--package-manager must be one of npm, pnpm, yarn, bun, not "make"'],
    [['--colour'], "Unknown option '--colour'; --help lists the options"],
  ])('for %j', async (argv, message) => {
    const { code, err, files } = await run(argv);
    expect(code).toBe(2);
    expect(err.replace(/^create-early-access: /, '').trimEnd()).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(files).toEqual([]);
  });

  test('for a folder with files, which are not changed', async () => {
    const cwd = tempFolder();
    writeFileSync(path.join(cwd, 'package.json'), 'mine');
    const { code, err, files } = await run(['.', ...VITE], { cwd });
    expect(code).toBe(1);
    expect(err).toBe(
      `create-early-access: ${cwd} is not empty (it has package.json), and existing files are never changed; name another folder\n`,
    );
    expect(files).toEqual(['package.json']);
    expect(readFileSync(path.join(cwd, 'package.json'), 'utf8')).toBe('mine');
  });

  test('for a path below a file', async () => {
    const cwd = tempFolder();
    writeFileSync(path.join(cwd, 'notes'), '');
    const { code, err } = await run(['notes/app', ...VITE], { cwd });
    expect(code).toBe(1);
    expect(err).toBe(
      `create-early-access: ${cwd}/notes/app cannot be written: a part of the path is a file; name another folder\n`,
    );
  });

  test('for a folder in which nothing can be created', async () => {
    const cwd = tempFolder();
    chmodSync(cwd, 0o555);
    const { code, err } = await withoutPrivileges(() => run(['app', ...VITE], { cwd }));
    expect(code).toBe(1);
    expect(err).toMatch(/^create-early-access: .+ cannot be written: permission denied; name another folder\n$/);
  });
});

describe('installing', () => {
  test('uses the package manager that started the program', async () => {
    const env = withProgram('pnpm', 'pwd > installed');
    const { code, cwd, out } = await run(['app', ...VITE], {
      env: { ...env, npm_config_user_agent: 'pnpm/12 node/v24' },
    });
    expect(code).toBe(0);
    expect(readFileSync(path.join(cwd, 'app/installed'), 'utf8').trim()).toBe(path.join(cwd, 'app'));
    expect(out).toContain('pnpm dev');
  });

  test('without a network leaves the project and prints how to repeat it', async () => {
    const env = withProgram('npm', 'echo "npm error code ENOTFOUND" >&2; exit 1');
    const { code, err, cwd } = await run(['app', ...VITE], { env });
    expect(code).toBe(1);
    expect(err).toBe(
      'create-early-access: the project was written, but its dependencies could not be installed (npm install: no connection to the registry, ENOTFOUND); to try again: cd app && npm install\n',
    );
    expect(readdirSync(path.join(cwd, 'app'))).toContain('package.json');
  });

  test('reports a missing package manager', async () => {
    const { err } = await run(['.', ...VITE, '--package-manager', 'bun'], { env: { PATH: tempFolder() } });
    expect(err).toMatch(/\(bun install: bun is not installed\); to try again: bun install\n$/);
  });
});

test('help and version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await run(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  const { out } = await run(['--help']);
  for (const option of ['--framework', '--store', '--no-install', '--package-manager', '--yes', 'Firestore']) {
    expect(out).toContain(option);
  }
});

/** Returns an environment with a shell script in place of a program. */
function withProgram(name: string, script: string): NodeJS.ProcessEnv {
  const folder = tempFolder();
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:/bin:/usr/bin` };
}

/** Runs `work` as another user, because root may write everywhere. */
async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
