import { openStory, test, WITHOUT_AXE } from '../storybook/catalogue.ts';
import base from './playwright.config.ts';
import { FONT_STYLES } from './support/fonts.ts';
import { DEVICES, expect, SCHEMES, setInOwnFonts } from './support/test.ts';

/** The stories, with the window heights that show the relevant parts on a phone and a desktop. */
const PAGES = {
  overview: ['dashboard-overview--thirty-days', 2860, 1720],
  people: ['dashboard-people--list', 844, 900],
  'person-record': ['dashboard-person--open-record', 844, 900],
  'people-fields': ['dashboard-people--fields', 844, 900],
  'person-fields': ['dashboard-person--record-with-fields', 1500, 1300],
  invites: ['dashboard-invites--waves', 1100, 900],
  campaigns: ['dashboard-campaigns--list', 1400, 1000],
  'campaign-draft': ['dashboard-campaigns--draft', 1900, 1200],
  webhooks: ['dashboard-webhooks--endpoints', 1100, 900],
  mail: ['dashboard-mail--queue', 1100, 900],
  health: ['dashboard-health--things-to-fix', 1500, 1220],
  settings: ['dashboard-settings--phone', 1500, 1260],
  'api-key': ['dashboard-api-keys--making', 844, 900],
  'sign-in': ['dashboard-sign-in--sign-in', 844, 900],
} as const;

/** The fake server's clock. */
const NOW = Date.UTC(2026, 10, 22, 10, 42);
/**
 * Dialogs and phone navigation are fixed to the window; without this rule they would be fixed to the body. The resizer
 * of a text area changes with browser releases.
 */
const OWN_STYLES = `
:root:root * { font-family: "Roboto Condensed" }
:root:root body { will-change: auto }
:root:root textarea { resize: none }`;

test.use({
  timezoneId: 'UTC',
  locale: 'en-GB',
  launchOptions: {
    ...base.use?.launchOptions,
    // Replaces the compositor layer that `OWN_STYLES` removes.
    args: [...(base.use?.launchOptions?.args ?? []), '--disable-lcd-text'],
  },
});

for (const [name, [story, phone, desktop]] of Object.entries(PAGES)) {
  for (const [device, { width }] of DEVICES) {
    const height = device === 'phone' ? phone : desktop;
    test(`the dashboard's ${name} looks as it did, on a ${device}, light and dark`, async ({ page }) => {
      await page.clock.setFixedTime(NOW);
      await page.addInitScript(drawPrecisely);
      await page.addInitScript(addStyles, `${FONT_STYLES}\n${OWN_STYLES}`);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: width - 1, height });
        await openStory(page, story, `theme:${colorScheme};${WITHOUT_AXE}`);
        await setInOwnFonts(page);
        // Resizing makes the chart draw its labels again, now with these fonts.
        await page.setViewportSize({ width, height });
        await expect.soft(page).toHaveScreenshot(`dashboard-${name}-${device}-${colorScheme}.png`);
      }
    });
  }
}

/** Runs in the page before its scripts, because the chart reads its font once. */
function addStyles(styles: string): void {
  addEventListener('DOMContentLoaded', () => {
    const element = document.createElement('style');
    element.textContent = styles;
    document.head.append(element);
  });
}

/** Text on a canvas, such as the chart's, does not inherit `text-rendering`. */
function drawPrecisely(): void {
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (...drawn) {
    this.textRendering = 'geometricPrecision';
    fillText.apply(this, drawn);
  };
}
