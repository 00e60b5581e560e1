import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { freePort, serveHttp } from '@early-access-kit/testkit/http-server';
import { openDatabase } from '../support/database.ts';
import { createProject } from './support/create-project.ts';
import { expect, test } from './support/test.ts';

const SHADCN = path.resolve(import.meta.dirname, '../../packages/early-access-kit/node_modules/.bin/shadcn');
const ITEM = './node_modules/early-access-kit/dist/registry/early-access-dialog.json';

const COMPONENTS = {
  style: 'new-york',
  rsc: false,
  tsx: true,
  tailwind: { config: '', css: 'src/index.css', baseColor: 'neutral', cssVariables: true },
  aliases: { components: '@/components', utils: '@/lib/utils', ui: '@/components/ui', lib: '@/lib', hooks: '@/hooks' },
};

const APP = `import { EarlyAccessDialog } from './components/early-access-dialog';
import { EarlyAccessProvider } from './components/early-access-provider';
import { SignupForm } from './components/signup-form';

export const App = () => (
  <EarlyAccessProvider>
    <SignupForm className="form" />
    <EarlyAccessDialog description="We write once." />
  </EarlyAccessProvider>
);
`;

test.describe('the items of the shadcn registry', { tag: '@complete' }, () => {
  let origin: string;
  let project: string;

  test.beforeAll(async ({ atTheEnd }) => {
    const created = await createProject(atTheEnd, ['--framework', 'vite', '--store', 'sqlite']);
    project = created.project;
    const tsconfig = path.join(project, 'tsconfig.json');
    const { compilerOptions, ...rest } = JSON.parse(await readFile(tsconfig, 'utf8'));
    const paths = { '@/*': ['./src/*'] };
    await writeFile(tsconfig, JSON.stringify({ ...rest, compilerOptions: { ...compilerOptions, paths } }));
    await writeFile(path.join(project, 'components.json'), JSON.stringify(COMPONENTS));
    await mkdir(path.join(project, 'src'), { recursive: true });
    await writeFile(path.join(project, 'src/index.css'), '');
    // shadcn's own registry is only asked for the project's base color.
    const asked: (string | undefined)[] = [];
    const colors = await serveHttp((request, response) => {
      asked.push(request.url);
      const none = { light: {}, dark: {} };
      response.end(
        JSON.stringify({ inlineColors: none, cssVars: none, inlineColorsTemplate: '', cssVarsTemplate: '' }),
      );
    });
    atTheEnd(colors.close);
    const env = { ...created.env, REGISTRY_URL: colors.origin };
    const added = await startProcess([SHADCN, 'add', ITEM, '--yes'], { env, cwd: project }).finished;
    expect(added.code, added.stdout + added.stderr).toBe(0);
    expect(asked.filter((url) => !url?.startsWith('/colors/'))).toEqual([]);

    await writeFile(path.join(project, 'src/app.tsx'), APP);
    const built = await startProcess(['npm', 'run', 'build'], { env, cwd: project }).finished;
    expect(built.code, built.stdout + built.stderr).toBe(0);
    const port = String(await freePort());
    const server = startProcess(['npm', 'start'], { env: { ...env, PORT: port }, cwd: project, detached: true });
    atTheEnd(() => server.end('SIGINT'));
    origin = await server.printedMatch('stdout', /Serving +(http:\S+)/);
  });

  test('a visitor signs up in the dialog, by keyboard alone', async ({ page, email }) => {
    await page.goto(origin);
    const trigger = page.getByRole('button', { name: 'Get early access' });
    await trigger.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Get early access', description: 'We write once.' });
    await expect(dialog.getByLabel('Email address')).toBeFocused();
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Please enter a valid email address')).toBeVisible();
    await expect(dialog.getByLabel('Email address')).toHaveAccessibleDescription('Please enter a valid email address');
    await dialog.getByLabel('Email address').fill(email);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText("You're on the list!")).toBeVisible();
    expect(await stored(email)).toMatchObject({ email, source: 'landing_page' });
    await page.keyboard.press('Escape');
    await expect(trigger).toBeFocused();
  });

  test('the form reports a duplicate, and stops a bot', async ({ page, email }) => {
    for (const message of ["You're on the list!", 'This email is already registered!']) {
      await page.goto(origin);
      const form = page.locator('.form');
      await form.getByLabel('Email address').fill(email);
      await form.getByRole('button').click();
      await expect(page.getByText(message).first()).toBeVisible();
    }
    await page.reload();
    const bot = `bot-${email}`;
    await page.locator('.form input[type=text]').evaluate((field: HTMLInputElement) => {
      field.value = 'filled in';
    });
    await page.locator('.form').getByLabel('Email address').fill(bot);
    await page.locator('.form').getByRole('button').click();
    await expect(page.getByText('Something went wrong. Please try again.')).toBeVisible();
    expect(await stored(bot)).toBeUndefined();
  });

  async function stored(email: string) {
    const database = openDatabase(path.join(project, 'data/early-access.sqlite'));
    const row = await database.signup(email);
    await database.close();
    return row;
  }
});
