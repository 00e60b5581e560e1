import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import {
  expectFormToWork,
  expectLinksToWork,
  type Mounted,
  mountIssues,
  signUpAndOpenDashboard,
  startMounted,
} from './support/mounted.ts';
import { expect, test } from './support/test.ts';

for (const [name, installation, tag] of [
  ['Hono', INSTALLATIONS.hono, '@fast'],
  ['Express', INSTALLATIONS.express, '@complete'],
  ['Fastify', INSTALLATIONS.fastify, '@complete'],
] as const) {
  test.describe(name, { tag }, () => {
    let mounted: Mounted;

    test.beforeAll(async ({ install, atTheEnd }) => {
      const folder = await install(installation);
      await inFolder({ folder }, 'pnpm', 'run', 'build');
      mounted = await startMounted(folder, () => ['src/server.ts']);
      atTheEnd(mounted.close);
    });

    test('a visitor signs up, and the admin sees it', async ({ page, email }) => {
      await signUpAndOpenDashboard(page, mounted, email);
      expect(await mountIssues(page, mounted)).toEqual([]);
      await expectLinksToWork(mounted, email);
    });

    test('the form works without scripts, and other paths belong to the host', async ({ email }) => {
      await expectFormToWork(mounted, email);
      expect((await fetch(`${mounted.origin}/api/other`)).status).toBe(404);
    });
  });
}
