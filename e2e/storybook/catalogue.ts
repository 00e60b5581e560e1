import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';

export { expect } from '@playwright/test';

/** The output of `npm run build:storybook`. */
const FOLDER = path.resolve(import.meta.dirname, '../../storybook-static');
/** Requests to this origin are fulfilled from the folder, without a server. Localhost is a secure context, which Storybook's input needs. */
const ORIGIN = 'http://localhost';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface Entry {
  readonly id: string;
  readonly type: 'story' | 'docs';
  readonly title: string;
  readonly name: string;
}

/** The entries of the built index. */
export function entries(): Entry[] {
  const index: { entries: Record<string, Entry> } = JSON.parse(readFileSync(path.join(FOLDER, 'index.json'), 'utf8'));
  return Object.values(index.entries);
}

export const test = base.extend<{ catalogue: undefined }>({
  catalogue: [
    async ({ context }, use) => {
      await context.route(`${ORIGIN}/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        const file = path.join(FOLDER, pathname === '/' ? 'index.html' : pathname);
        if (!existsSync(file)) return route.fulfill({ status: 404, body: '' });
        return route.fulfill({ path: file, contentType: TYPES[path.extname(file)] ?? 'application/octet-stream' });
      });
      await use(undefined);
    },
    { auto: true },
  ],
});

/** How a story ended: `success`, or what went wrong. */
interface Finished {
  readonly status: string;
  readonly message: string | undefined;
}

/** Opens a story and waits until its play function has passed. `globals` are like `theme:dark;locale:ar`, `args` like `disabled:!true`. */
export async function openStory(page: Page, id: string, globals = '', args = ''): Promise<void> {
  await page.goto(`${ORIGIN}/iframe.html?id=${id}&viewMode=story&globals=${globals}&args=${args}`);
  const finished = await page.waitForFunction((): Finished | undefined => {
    const host: typeof globalThis & { __STORYBOOK_ADDONS_CHANNEL__?: { last(event: string): unknown[] | undefined } } =
      globalThis;
    const last = (event: string) => host.__STORYBOOK_ADDONS_CHANNEL__?.last(event)?.[0];
    const failure = last('playFunctionThrewException') ?? last('storyThrewException') ?? last('storyMissing');
    const end = last('storyFinished');
    if (!failure && !end) return undefined;
    const hasMessage = typeof failure === 'object' && failure !== null && 'message' in failure;
    return { status: failure ? 'error' : 'success', message: hasMessage ? String(failure.message) : undefined };
  });
  expect(await finished.jsonValue(), id).toEqual({ status: 'success', message: undefined });
}

/** Opens a documentation page. */
export async function openDocs(page: Page, id: string): Promise<void> {
  await page.goto(`${ORIGIN}/iframe.html?id=${id}&viewMode=docs`);
  await expect(page.locator('#storybook-docs h1').first()).toBeVisible();
}
