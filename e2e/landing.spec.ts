import { countLayoutShift, layoutShift } from './support/layout-shift.ts';
import { expect, openLandingPage, test } from './support/test.ts';

test.describe('the landing page', () => {
  test.describe('reads in order, with scripts and without', () => {
    for (const javaScriptEnabled of [true, false]) {
      test.describe(javaScriptEnabled ? 'with' : 'without', () => {
        test.use({ javaScriptEnabled });

        test('hero, steps, benefits, comparison, second form, footer', { tag: '@main' }, async ({ page }) => {
          const response = await page.goto('/');
          expect(response?.status()).toBe(200);
          await expect(page).toHaveTitle(/PrintMargin/);

          const hero = page.getByRole('region', { name: 'Know your margin before you print.' });
          await expect(hero.getByRole('heading', { level: 1 })).toBeVisible();
          await expect(hero.getByRole('list').getByRole('listitem')).toHaveText([
            /costs, platform fees, taxes and shipping.*automatically/i,
            /exact profit margins/i,
            /10\+ print-on-demand platforms.*any currency or region/i,
          ]);
          await expect(hero.locator('form')).toBeVisible();

          const card = hero.getByRole('figure');
          await expect(card).toContainText('Canvas Print 16x20');
          const figures = card.locator('dl > div');
          await expect(figures).toHaveText([
            /^Cost\s*\$12\.50$/,
            /^Sell price\s*\$35\.00$/,
            /^Profit\s*\$22\.50$/,
            /^Margin\s*64%$/,
            /^Recommended margin\s*55-70%$/,
          ]);

          const steps = page.getByRole('region', { name: 'How It Works' });
          await expect(steps.getByRole('heading', { level: 3 })).toHaveText([
            'Choose product',
            'Auto-calculate costs',
            'Set perfect prices',
          ]);

          const benefits = page.locator('#benefits');
          await expect(benefits.getByRole('heading', { level: 3 })).toHaveText([
            'Exact net profit',
            'Compare platforms',
            'Launch in minutes',
            'Any currency or region',
          ]);

          const comparison = page.getByRole('region', { name: 'Before vs After' });
          await expect(comparison).toContainText('4-6 hours');
          await expect(comparison).toContainText('2-3 minutes');

          await expect(page.locator('#join form')).toBeVisible();
          await expect(page.getByRole('contentinfo')).toContainText('© 2025');

          const tops = await Promise.all(
            [hero, steps, benefits, comparison, page.locator('#join'), page.getByRole('contentinfo')].map(
              async (section) => (await section.boundingBox())?.y ?? Number.NaN,
            ),
          );
          expect(tops).toEqual(tops.toSorted((a, b) => a - b));
        });
      });
    }
  });

  test('has metadata for search engines and link previews', async ({ page, request }) => {
    await page.goto('/');
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /print-on-demand/);
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /PrintMargin/);
    for (const link of ['/robots.txt', '/favicon.svg']) expect((await request.get(link)).status()).toBe(200);
  });

  test('links to its sections and back to the top', async ({ page }) => {
    await openLandingPage(page);
    const navigation = page.getByRole('navigation');
    for (const [link, section] of [
      ['How it works', '#how-it-works'],
      ['Benefits', '#benefits'],
      ['Before vs after', '#before-vs-after'],
      ['Join the beta', '#join'],
    ] as const) {
      await navigation.getByRole('link', { name: link }).click();
      await expect(page.locator(section)).toBeInViewport();
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    }
  });

  for (const [device, viewport] of [
    ['a phone', { width: 360, height: 740 }],
    ['a desktop', { width: 1440, height: 900 }],
  ] as const) {
    test.describe(`on ${device}`, () => {
      test.use({ viewport });

      test('has no layout shift and no horizontal scrolling, from the first paint to success', async ({
        page,
        email,
      }) => {
        await page.addInitScript(countLayoutShift);
        await openLandingPage(page);
        const input = page.getByLabel('Email address').first();
        await input.fill('ada');
        await input.press('Enter');
        await expect(page.getByText('Please enter a valid email address')).toBeVisible();
        await input.fill(email);
        await input.press('Enter');
        await expect(page.getByText("You're on the list!")).toHaveCount(2);
        await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
        await expect(page.getByRole('contentinfo')).toBeInViewport();
        expect(await layoutShift(page)).toBe(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      });
    });
  }

  test.describe('in motion', () => {
    test.use({ contextOptions: { reducedMotion: 'no-preference' } });

    test('has no layout shift while scrolling, and every animation ends at its final position', async ({ page }) => {
      await page.addInitScript(countLayoutShift);
      await openLandingPage(page);
      for (const section of ['#how-it-works', '#benefits', '#before-vs-after', '#join']) {
        await page.locator(section).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
        await expect(page.locator(section)).toBeInViewport();
        expect(await layoutShift(page)).toBe(0);
      }
      // Scroll-driven animations are over once scrolled past. The others end by themselves.
      const out = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('.plate, .print g, .day')].flatMap((element) => {
            const { transform, clipPath } = getComputedStyle(element);
            return [transform, clipPath].filter(
              (value) => !/^(none|matrix\(1, 0, 0, 1, 0, 0\)|inset\(0(px|%)?\))$/.test(value),
            );
          }),
        );
      await expect.poll(out).toEqual([]);
    });
  });

  test('prints on two sheets without buttons', async ({ page }) => {
    await openLandingPage(page);
    for (const format of ['A4', 'Letter']) {
      const pdf = (await page.pdf({ format })).toString('latin1');
      expect(pdf.match(/\/Type \/Page\b/g), format).toHaveLength(2);
    }
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByText('Canvas Print 16x20')).toBeVisible();
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await paper()).toBe('rgb(255, 255, 255)');
  });

  test('highlights the matching part of the print when a figure is hovered', async ({ page }) => {
    await openLandingPage(page);
    const card = page.getByRole('figure');
    for (const [figure, faded, kept] of [
      ['Cost', '.print-picture__spot', '.print-picture__ink path:first-child'],
      ['Profit', '.print-picture__ink path:first-child', '.print-picture__spot'],
    ] as const) {
      await card.getByRole('term').getByText(figure, { exact: true }).hover();
      await expect(card.locator(faded)).toHaveCSS('opacity', '0.14');
      await expect(card.locator(kept)).toHaveCSS('opacity', '1');
    }
  });
});

test.describe('any other path', () => {
  test.use({ expectedComplaints: [/404/] });

  test('is a 404 with a link to the landing page', async ({ page, complaints }) => {
    const response = await page.goto('/nowhere/at/all?email=a@b.example');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
    await expect.poll(() => complaints.filter((text) => text.includes('/nowhere/at/all'))).toHaveLength(1);
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('margin');
  });

  test('shows the 404 page without scripts too', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${baseURL}/nowhere`);
    await expect(page.getByText('Oops! Page not found')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    await context.close();
  });
});
