import { serveFolder } from '@early-access-kit/testkit/static-folder';
import { test as base } from '@playwright/test';

/** Tests of a folder of built files. URLs are relative to it. `policy` is the host's Content-Security-Policy. */
export function testOfFolder(folder: string, policy?: string) {
  return base.extend<object, { origin: string }>({
    origin: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
      async ({}, use) => {
        const server = await serveFolder(folder, policy === undefined ? undefined : () => policy);
        await use(server.origin);
        await server.close();
      },
      { scope: 'worker' },
    ],
    baseURL: async ({ origin }, use) => use(origin),
  });
}
