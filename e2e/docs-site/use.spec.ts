import { expect, openPage, test } from './site.ts';

for (const [device, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`the first screen of the home page has a working form and a picture, on a ${device}`, async ({ page }) => {
    await openPage(page, 'index.html');
    await page.setViewportSize(viewport);
    const picture = page.getByRole('img', { name: /^The dashboard/ });
    await expect(picture).toBeInViewport({ ratio: device === 'phone' ? 0.4 : 1 });
    // At least twice the maximum display size.
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      2560,
    );
    const form = page.locator('early-access-form');
    await expect(form.getByRole('button', { name: 'Join the beta' })).toBeInViewport({ ratio: 1 });
    await form.getByRole('textbox').fill('ada@example.org');
    await form.getByRole('button', { name: 'Join the beta' }).click();
    await expect(form.getByText("You're on the list!")).toBeVisible();
  });
}

test('a reader finds a page by searching, by keyboard alone', async ({ page }) => {
  await openPage(page, 'index.html');
  await page.keyboard.press('Control+KeyK');
  const search = page.getByRole('searchbox');
  await expect(search).toBeFocused();
  await search.fill('TRUST_PROXY');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/index\.html/);
  await expect(page.locator('#VPContent')).toContainText('TRUST_PROXY');
});

test('the first tab stop skips the navigation', async ({ page }) => {
  await openPage(page, 'operate.html');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const isInContent = () => page.evaluate(() => document.activeElement?.closest('#VPContent') !== null);
  expect(await isInContent()).toBe(true);
});

test('the theme editor changes a working form, sends nothing, and shows the CSS', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page, 'widgets/theming.html');
  const form = page.locator('early-access-form');
  const button = form.getByRole('button', { name: 'Join the beta' });
  await expect(button).toBeVisible();

  await page.getByRole('textbox', { name: '--eak-accent', exact: true }).fill('rgb(120, 20, 90)');
  await expect(button).toHaveCSS('background-color', 'rgb(120, 20, 90)');
  await expect(page.getByLabel('--eak-accent, color')).toHaveValue('#78145a');
  await page.getByRole('button', { name: 'Copy your CSS' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    ':root {\n  --eak-accent: rgb(120, 20, 90);\n}',
  );

  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await form.getByRole('textbox').fill('ada@example.org');
  // The click is faster than a person's, so the form waits for its minimum time.
  await button.click();
  await expect(form.getByText("You're on the list!")).toBeVisible();
  expect(sent).toEqual([]);

  await page.getByRole('button', { name: 'Default' }).click();
  await page.getByRole('button', { name: 'New form' }).click();
  await expect(button).not.toHaveCSS('background-color', 'rgb(120, 20, 90)');
});

test('language models get each page as Markdown', async ({ request }) => {
  const list = await (await request.get('llms.txt')).text();
  const links = [...list.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, link = '']) => link);
  expect(links).toContain('/operate.md');
  for (const link of links) expect((await request.get(link)).status(), link).toBe(200);
  expect(await (await request.get('llms-full.txt')).text()).toContain('# Running the server');
  expect(await (await request.get('widgets/theming.md')).text()).toContain('- `--eak-accent`: ');
});
