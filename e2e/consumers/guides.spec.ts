import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { startSelfHosted } from '../support/backend.ts';
import { npmWithPacked } from './support/create-project.ts';
import { editFile, readCommands, readGuide, writeFiles } from './support/guide.ts';
import { type Mounted, startMounted } from './support/mounted.ts';
import { expect, signUp, test } from './support/test.ts';

interface Guide {
  readonly name: string;
  /** Arguments of the framework's own generator, which creates `my-app` in an empty folder. */
  readonly generate: readonly string[];
  /** Applies the steps that the guide describes without a code block. */
  readonly edit?: (folder: string, files: ReadonlyMap<string, string>) => Promise<void>;
  readonly check?: string;
  /** The pages for the server to serve, with the guide's settings. */
  readonly site?: Readonly<Record<'SITE_DIR', string> & Partial<Record<'SITE_POLICY', string>>>;
  /** Returns the command of a framework's server that contains the application. */
  readonly program?: (port: string) => readonly string[];
  /** The template with the form. `check` must find a misspelled attribute in it. */
  readonly template?: string;
}

/** The generated page uses Google's fonts, which a build without internet access cannot load. */
const withoutFonts = (layout: string) =>
  layout
    .replace(/^import \{.*\} from "next\/font\/google";\n/m, '')
    .replaceAll(/^const \w+ = Geist\w*\([\s\S]*?\);\n/gm, '')
    .replace(/className=\{`\$\{geist[\s\S]*?`\}/, '');

/** A page with the content that the guide describes. */
const ASTRO_PAGE = `---
import 'early-access-kit/styles.css';
import { EarlyAccess } from '../components/early-access';
---
<html lang="en">
  <head><title>Astro</title><link rel="icon" href="data:," /></head>
  <body><EarlyAccess client:load /></body>
</html>
`;

const GUIDES: readonly Guide[] = [
  {
    name: 'nextjs',
    generate: ['create', 'next-app@latest', 'my-app', '--', '--yes', '--use-npm', '--disable-git'],
    async edit(folder, files) {
      const route = files.get('app/unsubscribe/route.ts') ?? '';
      const deeper = route.replace('../../server', '../../../server');
      await writeFiles(folder, [
        ['app/api/[...path]/route.ts', deeper],
        ['app/admin/[[...path]]/route.ts', deeper],
        ['app/confirm/route.ts', route],
        ['app/invite/route.ts', route],
      ]);
      await editFile(
        folder,
        'app/layout.tsx',
        (text) => `import 'early-access-kit/styles.css';\n${withoutFonts(text)}`,
      );
      await editFile(folder, 'next.config.ts', (text) =>
        text.replace('NextConfig = {', "NextConfig = {\n  serverExternalPackages: ['early-access-server'],"),
      );
    },
    program: (port) => ['node_modules/next/dist/bin/next', 'start', '--hostname', 'localhost', '--port', port],
  },
  {
    name: 'react',
    edit: (folder) => rm(path.join(folder, 'src/App.tsx')),
    generate: ['create', 'vite@latest', 'my-app', '--', '--template', 'react-ts', '--no-interactive'],
    site: { SITE_DIR: 'dist' },
  },
  {
    name: 'vue',
    generate: ['create', 'vue@latest', 'my-app', '--', '--ts'],
    async edit(folder) {
      await rm(path.join(folder, 'src/components'), { recursive: true });
      await editFile(folder, 'tsconfig.app.json', (text) =>
        text.replace('{', '{\n  "vueCompilerOptions": { "strictTemplates": true },'),
      );
    },
    check: 'type-check',
    site: { SITE_DIR: 'dist' },
    template: 'src/App.vue',
  },
  {
    name: 'sveltekit',
    generate: [
      'exec',
      '--',
      'sv@latest',
      'create',
      'my-app',
      '--template',
      'minimal',
      '--types',
      'ts',
      '--no-add-ons',
      '--install',
      'npm',
    ],
    check: 'check',
    program: () => ['build'],
    template: 'src/routes/+page.svelte',
  },
  {
    name: 'angular',
    generate: ['exec', '--', '@angular/cli@latest', 'new', 'my-app', '--defaults', '--skip-git', '--skip-install'],
    site: { SITE_DIR: 'dist/my-app/browser', SITE_POLICY: "default-src 'self'" },
  },
  {
    name: 'astro',
    // `create astro` downloads its templates from GitHub. This is its manual setup:
    // https://docs.astro.build/en/install-and-setup/#manual-setup
    generate: ['install', '--prefix', 'my-app', 'astro@latest'],
    async edit(folder, files) {
      const page = files.get('src/pages/unsubscribe.ts') ?? '';
      const deeper = page.replace('../server', '../../server');
      await writeFiles(folder, [
        ['src/pages/index.astro', ASTRO_PAGE],
        ['src/pages/confirm.ts', page],
        ['src/pages/invite.ts', page],
        ['src/pages/api/[...path].ts', deeper],
        ['src/pages/admin/[...path].ts', deeper],
      ]);
      await editFile(folder, 'astro.config.mjs', (text) =>
        text.replace('integrations:', 'security: { checkOrigin: false },\n  integrations:'),
      );
      await editFile(folder, 'package.json', (text) => text.replace('{', '{ "scripts": { "build": "astro build" },'));
    },
    program: () => ['dist/server/entry.mjs'],
  },
];

for (const { name, generate, edit, check, site, program, template } of GUIDES) {
  test.describe(`the guide ${name}, in a new project`, { tag: '@complete' }, () => {
    let run: (...args: readonly string[]) => Promise<string>;
    let folder: string;

    test.beforeAll(async ({ atTheEnd }) => {
      const parent = await realpath(await mkdtemp(path.join(tmpdir(), `early-access-guide-${name}-`)));
      atTheEnd(() => rm(parent, { recursive: true, force: true }));
      const packed = await npmWithPacked(atTheEnd);
      const env = { ...packed, CI: '1', NG_CLI_ANALYTICS: 'false', NEXT_TELEMETRY_DISABLED: '1' };
      const runIn = async (cwd: string, args: readonly string[]) => {
        const { code, stdout, stderr } = await startProcess([...args], { cwd, env }).finished;
        if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
        return stdout;
      };
      await runIn(parent, ['npm', ...generate]);
      folder = path.join(parent, 'my-app');
      run = (...args) => runIn(folder, args);
      for (const command of await readCommands(name)) await run('sh', '-c', command);
      const { scripts, ...manifest } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      const files = await readGuide(name);
      await writeFiles(
        folder,
        [...files].filter(([file]) => file !== 'package.json'),
      );
      await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }));
      await edit?.(folder, files);
      await run('npm', 'run', 'build');
    });

    test('its build serves the form, and a visitor signs up', async ({ page, email, atTheEnd }) => {
      if (site) {
        const backend = await startSelfHosted({ ...site, SITE_DIR: path.join(folder, site.SITE_DIR) });
        atTheEnd(backend.close);
        await signUp(page, backend.server.origin, { email, backend });
        expect(backend.server.log).not.toContain('site-policy');
      } else if (program) {
        const mounted: Mounted = await startMounted(folder, program);
        atTheEnd(mounted.close);
        await signUp(page, mounted.origin, { email, backend: mounted });
      }
    });

    if (check === undefined || template === undefined) return;
    test('its type check passes, and finds a misspelled attribute and event', async () => {
      await run('npm', 'run', check);
      const file = path.join(folder, template);
      const right = await readFile(file, 'utf8');
      await writeFile(file, right.replace('<early-access-form', '<early-access-form sorce="footer"'));
      await expect(run('npm', 'run', check)).rejects.toThrow('sorce');
      await writeFile(file, right);
    });
  });
}
