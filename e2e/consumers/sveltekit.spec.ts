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
import { expect, test } from './support/test.ts';

test.describe('SvelteKit', { tag: '@complete' }, () => {
  let mounted: Mounted;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.sveltekit);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    mounted = await startMounted(folder, () => ['build/index.js']);
    atTheEnd(mounted.close);
  });

  test('a visitor signs up, and the admin sees it', async ({ page, email }) => {
    await signUpAndOpenDashboard(page, mounted, email);
    expect(await mountIssues(page, mounted)).toEqual([]);
    await expectLinksToWork(mounted, email);
  });

  test('the form works without scripts', async ({ email }) => {
    await expectFormToWork(mounted, email);
  });

  test('forms of other origins are rejected on the host’s own pages', async () => {
    await expectOwnPagesToRefuseForeignForms(mounted);
  });
});
