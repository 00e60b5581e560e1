import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import {
  expectFormToWork,
  expectLinksToWork,
  expectOwnPagesToRefuseForeignForms,
  type Mounted,
  mountIssues,
  signUpAndOpenDashboard,
  startMounted,
} from './support/mounted.ts';
import { expect, expectStyled, test } from './support/test.ts';

test.describe('Astro', { tag: '@complete' }, () => {
  let mounted: Mounted;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.astro);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    mounted = await startMounted(folder, () => ['dist/server/entry.mjs']);
    atTheEnd(mounted.close);
  });

  test('a visitor signs up in an island, under the policy that Astro generates, and the admin sees it', async ({
    page,
    request,
    email,
  }) => {
    const html = await (await request.get(mounted.origin)).text();
    expect(html).toContain('http-equiv="content-security-policy"');
    expect(html).toContain('action="/api/signup-form"');
    await signUpAndOpenDashboard(page, mounted, email);
    expect(await mountIssues(page, mounted)).toEqual([]);
    await expectLinksToWork(mounted, email);
  });

  test('the form works without scripts, and is styled', async ({ page, email }) => {
    await expectFormToWork(mounted, email);
    await page.goto(mounted.origin);
    await expectStyled(page);
  });

  test('forms of other origins are rejected on the host’s own pages', async () => {
    await expectOwnPagesToRefuseForeignForms(mounted);
  });
});
