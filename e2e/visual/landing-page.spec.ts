import { DEVICES, expect, SCHEMES, setInOwnFonts, testOfSite as test } from './support/test.ts';

const SECTIONS = {
  header: '.site-header',
  hero: '.hero',
  'how-it-works': '#how-it-works',
  benefits: '#benefits',
  'before-vs-after': '#before-vs-after',
  join: '#join',
  footer: '.site-footer',
} as const;

for (const [device, viewport] of DEVICES) {
  for (const colorScheme of SCHEMES) {
    test.describe(`on a ${device}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      test('the landing page looks as it did', async ({ page }) => {
        await page.goto('/');
        await expect(page.locator('form[novalidate]')).toHaveCount(2);
        await setInOwnFonts(page);
        for (const [name, selector] of Object.entries(SECTIONS)) {
          await expect
            .soft(page.locator(selector))
            .toHaveScreenshot(`landing-page-${device}-${colorScheme}-${name}.png`);
        }
      });

      test('the 404 page looks as it did', async ({ page }) => {
        await page.goto('/404.html');
        await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
        await setInOwnFonts(page);
        await expect(page).toHaveScreenshot(`not-found-page-${device}-${colorScheme}.png`);
      });
    });
  }
}
