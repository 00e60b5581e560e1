import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { testOfFolder } from '../support/folder.ts';

export { expect } from '@playwright/test';

/** The output of `npm run docs -- build-storybook`. */
const FOLDER = path.resolve(import.meta.dirname, '../../storybook-static');
interface Entry {
  readonly id: string;
  readonly type: 'story' | 'docs';
  readonly title: string;
  readonly name: string;
}

/** Returns the entries of the built index. */
export function entries(): Entry[] {
  const index: { entries: Record<string, Entry> } = JSON.parse(readFileSync(path.join(FOLDER, 'index.json'), 'utf8'));
  return Object.values(index.entries);
}

export const test = testOfFolder(FOLDER);

interface LoadedStory {
  readonly title: string;
  readonly tags: readonly string[];
  readonly parameters: { readonly docs?: { readonly description?: { readonly story?: string } } };
}

/** The globals of a Storybook page: its stories, and the channel on which it sends and receives messages. */
type Host = typeof globalThis & {
  readonly __STORYBOOK_PREVIEW__?: { extract(): Promise<Record<string, LoadedStory>> };
  readonly __STORYBOOK_ADDONS_CHANNEL__?: {
    /** Returns the arguments of the last event of this name. */
    last(event: string): unknown[] | undefined;
    emit(event: string, content: object): void;
  };
};

/** The global that turns off the accessibility panel's check of each opened story. */
export const WITHOUT_AXE = 'a11y.manual:!true';

/**
 * Opens a story and waits until its play function has passed. `globals` are like `theme:dark;locale:ar`, `args` like
 * `disabled:!true`.
 */
export async function openStory(page: Page, id: string, globals = '', args = ''): Promise<void> {
  await page.goto(`/iframe.html?id=${id}&viewMode=story&globals=${globals}&args=${args}`);
  await expectPassed(page, id);
}

/** Changes to another story, like a click in the sidebar, and waits until its play function has passed. */
export async function chooseStory(page: Page, id: string): Promise<void> {
  await page.evaluate((storyId) => {
    const host: Host = globalThis;
    host.__STORYBOOK_ADDONS_CHANNEL__?.emit('setCurrentStory', { storyId, viewMode: 'story' });
  }, id);
  await expectPassed(page, id);
}

async function expectPassed(page: Page, id: string): Promise<void> {
  const finished = await page.waitForFunction((storyId) => {
    const host: Host = globalThis;
    const last = (event: string) => host.__STORYBOOK_ADDONS_CHANNEL__?.last(event)?.[0];
    const failure = last('playFunctionThrewException') ?? last('storyThrewException') ?? last('storyMissing');
    const end = last('storyFinished');
    const hasEnded = typeof end === 'object' && end !== null && 'storyId' in end && end.storyId === storyId;
    if (!failure && !hasEnded) return undefined;
    const hasMessage = typeof failure === 'object' && failure !== null && 'message' in failure;
    return { status: failure ? 'error' : 'success', message: hasMessage ? String(failure.message) : undefined };
  }, id);
  expect(await finished.jsonValue(), id).toEqual({ status: 'success', message: undefined });
}

interface AxeRule {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Returns the accessibility panel's report of the story. */
export async function readAxeResult(
  page: Page,
): Promise<{ passes: readonly AxeRule[]; violations: readonly AxeRule[] }> {
  const finished = await page.evaluate(() => {
    const host: Host = globalThis;
    return JSON.stringify(host.__STORYBOOK_ADDONS_CHANNEL__?.last('storyFinished')?.[0]);
  });
  return JSON.parse(finished).reporters.find(({ type }: { type: string }) => type === 'a11y').result;
}

/** Opens a documentation page. */
export async function openDocs(page: Page, id: string): Promise<void> {
  await page.goto(`/iframe.html?id=${id}&viewMode=docs`);
  await expect(page.locator('#storybook-docs h1').first()).toBeVisible();
}

/** Returns the description of every state on the documentation pages, as an open page of Storybook has loaded it. */
export async function readDescriptions(page: Page): Promise<{ id: string; title: string; text: string }[]> {
  return page.evaluate(async () => {
    const host: Host = globalThis;
    const stories = Object.entries((await host.__STORYBOOK_PREVIEW__?.extract()) ?? {});
    return stories
      .filter(([, { tags }]) => tags.includes('dev'))
      .map(([id, { title, parameters }]) => ({
        id,
        title,
        text: parameters.docs?.description?.story?.trim() ?? '',
      }));
  });
}
