import { entries, expect, test } from './catalogue.ts';

const listed = entries();

test('names of stories are written as sentences begin', () => {
  const capitals = listed.filter(({ name }) => / (?!CSS|CSV|URL|Arabic|Spanish)[A-Z]/.test(name));
  expect(capitals.map(({ name }) => name)).toEqual([]);
});

test('Storybook has the name and the mark of the kit', async ({ page }) => {
  await page.goto('/');
  const brand = page.getByRole('img', { name: 'early-access-kit' });
  await expect(brand).toBeVisible();
  expect(await brand.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(160);
});

test('every title has a docs page', () => {
  const titles = new Set(listed.map(({ title }) => title));
  const documented = new Set(listed.filter(({ type }) => type === 'docs').map(({ title }) => title));
  expect([...titles].filter((title) => !documented.has(title))).toEqual([]);
});
