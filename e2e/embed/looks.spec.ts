import { expectAccessibleInBothSchemes } from '../support/axe.ts';
import { ADMIN_EMAIL, expect, test } from './support/test.ts';

const ALL = '<early-access-form></early-access-form><early-access-admin></early-access-admin>';

test('axe finds no violation, light and dark, and everything works by keyboard alone', async ({ page, put, email }) => {
  await page.goto(put(ALL));
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    // An explicit background color, because axe assumes white for the system's canvas color.
    sheet.replaceSync(':root { color-scheme: light dark; background: Canvas; }');
    document.adoptedStyleSheets.push(sheet);
  });
  await expect(page.getByRole('button', { name: 'Join the beta' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email address')).toBeFocused();
  await page.keyboard.type('ada');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Join the beta' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByLabel('Email address')).toBeFocused();
  await expectAccessibleInBothSchemes(page);

  await page.keyboard.press('ControlOrMeta+KeyA');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText("You're on the list!")).toBeVisible();
  // The focus moves here when the form disappears.
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)).toContain(
    "You're on the list!",
  );
  await expectAccessibleInBothSchemes(page);

  await page.keyboard.press('Control+Alt+KeyA');
  await expect(page.getByLabel('Admin email')).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  await page.keyboard.type(ADMIN_EMAIL);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Analytics Overview' })).toContainText(/Email Signups/);
  await expectAccessibleInBothSchemes(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Analytics Overview' })).toContainText(/Unique Visitors \d/);
  await expectAccessibleInBothSchemes(page);
});

test('a host can theme the elements with custom properties and parts, and no other host styles apply', {
  tag: '@main',
}, async ({ page, put }) => {
  await page.goto(put(ALL));
  await expect(page.getByRole('button', { name: 'Join the beta' })).toBeVisible();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:root { --eak-accent: rgb(1, 2, 3); }
      early-access-form { margin: 40px; }
      early-access-form::part(input) { border-radius: 17px; }
      button { background: red !important; text-transform: uppercase; } * { letter-spacing: 9px; }`);
    document.adoptedStyleSheets.push(sheet);
  });
  const button = page.getByRole('button', { name: 'Join the beta' });
  await expect(button).toHaveCSS('background-color', 'rgb(1, 2, 3)');
  await expect(button).toHaveCSS('text-transform', 'none');
  await expect(page.getByLabel('Email address')).toHaveCSS('border-radius', '17px');
  expect(await page.locator('early-access-form').evaluate((form) => getComputedStyle(form).marginTop)).toBe('40px');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a plain form inside the element signs up', async ({ page, put, gate, email, backend }) => {
    await page.goto(
      put(`<early-access-form><form method="post" action="${gate.origin}/api/signup-form">
        <label>Email <input name="email" type="email" required></label><button>Join</button></form></early-access-form>`),
    );
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Join' }).click();
    await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
    expect(await backend.database.signup(email)).toMatchObject({ email });
  });
});
