import type { ServerResponse } from 'node:http';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import { countLayoutShift, layoutShift } from './support/layout-shift.ts';
import { expect, openLandingPage, test } from './support/test.ts';

test.describe('the landing page', () => {
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
        expect(await layoutShift(page)).toBe(0);
        // The message moves content. That does not count within half a second of a key, but a busy machine may take longer.
        await input.fill('ada');
        await input.press('Enter');
        await expect(page.getByText('Please enter a valid email address')).toBeVisible();
        await input.press('ControlOrMeta+a');
        await page.keyboard.type(email);
        const before = await layoutShift(page);
        await input.press('Enter');
        await expect(page.getByText("You're on the list!")).toHaveCount(2);
        await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
        await expect(page.getByRole('contentinfo')).toBeInViewport();
        expect(await layoutShift(page)).toBe(before);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      });

      test('has no layout shift while the HTML arrives in pieces', async ({ page, baseURL }) => {
        const html = (await (await fetch(baseURL ?? '')).text()).replaceAll(/<script.*?<\/script>/gs, '');
        const start = html.indexOf('<section');
        const end = html.indexOf('</section>');
        const requested = Promise.withResolvers<ServerResponse>();
        const server = await serveHttp((_, response) => requested.resolve(response));
        await page.route(`${server.origin}/*/**`, async (route) => {
          const url = new URL(new URL(route.request().url()).pathname, baseURL);
          await route.fulfill({ response: await route.fetch({ url: url.href }) });
        });
        await page.addInitScript(countLayoutShift);
        const loaded = page.goto(server.origin);
        const response = await requested.promise;
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.write(html.slice(0, start));
        for (const piece of html.slice(start, end).split(/(?=<[a-z]+ class)/)) {
          const elements = await page.locator('*').count();
          response.write(piece);
          await page.waitForFunction((before) => document.querySelectorAll('*').length > before, elements);
          expect(await layoutShift(page), piece).toBe(0);
        }
        response.end(html.slice(end));
        await loaded;
        expect(await layoutShift(page)).toBe(0);
        await server.close();
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
      // Scroll-driven animations have ended after scrolling past. All others end by themselves.
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
