import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES } from 'early-access-kit/messages';
import { entries, expect, openDocs, readDescriptions, test } from './catalogue.ts';

const SENTENCE = /\w.*\.$/s;
const docs = entries().filter(({ type }) => type === 'docs');
/** The state sheet has no props, and the share link only a class, which has no control. */
const WITHOUT_PROPS = ['Widgets/State sheet', 'Widgets/Share link'];
const isOfTheKit = ({ title }: { title: string }) => title.startsWith('Widgets/') && !WITHOUT_PROPS.includes(title);

/** The source of the kit and of the guide's pages. */
const KIT = path.resolve(import.meta.dirname, '../../packages/early-access-kit');

test('each page of the guide exists, with its code and working links', async ({ page }) => {
  const ids = new Set(entries().map(({ id }) => id));
  for (const { id, title } of docs.filter((entry) => entry.title.startsWith('Guide/'))) {
    await openDocs(page, id);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title.replace('Guide/', ''));
    const source = readFileSync(path.join(KIT, `docs/${id.replace(/^guide-|--docs$/g, '')}.mdx`), 'utf8');
    for (const [, line = ''] of source.matchAll(/^```\w+\n(.+)$/gm)) {
      await expect(page.locator('#storybook-docs pre').filter({ hasText: line }).first(), id).toBeVisible();
    }
    const links = await page
      .locator('#storybook-docs a[href*="?path="]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const link of links) expect(ids, `${id}: ${link}`).toContain(link.split('/').at(-1));
  }
});

test('the theming page lists every custom property of the stylesheet', async ({ page }) => {
  const css = readFileSync(path.join(KIT, 'dist/styles.css'), 'utf8');
  const names = new Set([...css.matchAll(/var\(\s*(--eak-[\w-]+)/g)].map(([, name]) => name));
  await openDocs(page, 'guide-theming--docs');
  const listed = await page.locator('.docs-table tbody th').allInnerTexts();
  expect(names.size).toBeGreaterThan(10);
  expect(new Set(listed)).toEqual(names);
});

test('the messages page lists every text in every language', async ({ page }) => {
  await openDocs(page, 'guide-messages--docs');
  const rows = page.locator('.docs-table tbody tr');
  await expect(rows.filter({ hasText: 'duplicateEmail' })).toContainText('This email is already registered!');
  for (const row of await rows.all()) {
    const texts = await row.locator('td').allInnerTexts();
    expect(texts).toHaveLength(LANGUAGES.length + 1);
    expect(texts.every((text) => text.trim() !== '')).toBe(true);
  }
});

test('a dark story is on a dark page in the documentation', async ({ page }) => {
  await page.goto('/iframe.html?id=widgets-signup-form--docs&viewMode=docs&globals=theme:dark');
  await expect(page.locator('.docs-story').first()).toHaveCSS('background-color', 'rgb(17, 19, 24)');
});

for (const { id, title } of docs.filter(isOfTheKit)) {
  test(`${title} documents each prop with the source's doc comment`, async ({ page }) => {
    await openDocs(page, id);
    const rows = page.locator('.docblock-argstable-body tr');
    await expect(rows.first()).toBeVisible();
    for (const row of await rows.all()) {
      const [name, description] = await row.locator('td').allInnerTexts();
      expect(description?.trim(), `${title}: ${name}`).not.toBe('');
    }
  });
}

test('each state of a foundation, an email and a page is described in a sentence', async ({ page }) => {
  await openDocs(page, 'dashboard-team--docs');
  const states = page.locator('.docs-states li');
  await expect(states.first()).toBeVisible();
  for (const state of await states.all()) await expect(state.locator('span')).toHaveText(SENTENCE);
  const isDescribed = ({ title }: { title: string }) => /^(?:Foundations|Emails|Server pages|Dashboard)\//.test(title);
  const described = (await readDescriptions(page)).filter(isDescribed);
  const titles = docs.filter(isDescribed).map(({ title }) => title);
  expect(new Set(described.map(({ title }) => title))).toEqual(new Set(titles));
  expect(described.filter(({ text }) => !SENTENCE.test(text)).map(({ id }) => id)).toEqual([]);
});

test('a whole page lazily loads the frames of its states, without moving', async ({ page }) => {
  await openDocs(page, 'dashboard-team--docs');
  const states = page.locator('.docs-states li');
  const frames = page.locator('.docs-states iframe');
  await expect(page.frameLocator('.docs-states iframe').first().getByText('ada@acme.example')).toBeVisible();
  expect(await frames.count()).toBeLessThan(3);
  // Its play function focuses a field below the visible part of the page.
  const state = states.filter({ hasText: 'Invited already' });
  const top = await state.evaluate((element) => {
    scrollBy(0, element.getBoundingClientRect().top - innerHeight + 150);
    return scrollY;
  });
  await expect(state.frameLocator('iframe').getByText('This address is already in the team.')).toBeAttached();
  expect(await page.evaluate(() => scrollY)).toBe(top);
  await states.last().scrollIntoViewIfNeeded();
  await expect(states.last().frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible();
  expect(await frames.count()).toBeLessThan(3);
});

test('a state’s frame has its story’s window size and the toolbar’s theme', async ({ page }) => {
  await page.goto('/iframe.html?id=dashboard-team--docs&viewMode=docs&globals=theme:dark');
  const phone = page
    .locator('.docs-states li')
    .filter({ hasText: /^Phone/ })
    .locator('.docs-frame');
  await phone.scrollIntoViewIfNeeded();
  await expect(phone.locator('iframe')).toHaveJSProperty('clientWidth', 390);
  await expect(phone.frameLocator('iframe').locator(':root')).toHaveAttribute('data-theme', 'dark');
});
