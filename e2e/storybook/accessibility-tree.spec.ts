import type { Page } from '@playwright/test';
import { expect, openStory, test } from './catalogue.ts';

/** An element as the browser exposes it to screen readers. */
interface Spoken {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  /** States and properties, such as `invalid`, `live` or `modal`. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Its text content. */
  readonly text: string;
}

/** Returns the browser's accessibility tree without ignored nodes. */
async function accessibilityTree(page: Page): Promise<Spoken[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const readText = (id: string): string => {
    const node = byId.get(id);
    if (node?.role?.value === 'StaticText') return String(node.name?.value ?? '');
    return (node?.childIds ?? []).map(readText).join(' ').trim();
  };
  return nodes
    .filter(({ ignored }) => !ignored)
    .map((node) => ({
      role: String(node.role?.value ?? ''),
      name: String(node.name?.value ?? ''),
      description: String(node.description?.value ?? ''),
      properties: Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value])),
      text: readText(node.nodeId),
    }));
}

async function spoken(page: Page, story: string, role: string, name?: string): Promise<Spoken> {
  await openStory(page, story);
  const found = (await accessibilityTree(page)).filter((node) => node.role === role && (!name || node.name === name));
  expect(found, `${role} ${name ?? ''} in ${story}`).toHaveLength(1);
  const [node] = found;
  if (!node) throw new Error('not reached');
  return node;
}

test('the field has its name, is required, and describes the error when invalid', async ({ page }) => {
  const idle = await spoken(page, 'widgets-signup-form--idle', 'textbox', 'Email address');
  expect(idle).toMatchObject({ description: '', properties: { required: true, invalid: 'false' } });
  const invalid = await spoken(page, 'widgets-signup-form--invalid', 'textbox', 'Email address');
  expect(invalid).toMatchObject({
    description: 'Please enter a valid email address',
    properties: { invalid: 'true', focused: true },
  });
});

test('the honeypot field is not in the tree', async ({ page }) => {
  await openStory(page, 'widgets-signup-form--idle', '', 'botGuard:!true');
  const fields = (await accessibilityTree(page)).filter(({ role }) => role === 'textbox');
  expect(fields.map(({ name }) => name)).toEqual(['Email address']);
});

test('while submitting, the button says so and is disabled', async ({ page }) => {
  const button = await spoken(page, 'widgets-signup-form--submitting', 'button', 'Joining...');
  expect(button.properties).toMatchObject({ disabled: true });
});

test('success is announced politely, and the focused message has a name', async ({ page }) => {
  const region = await spoken(page, 'widgets-signup-form--success', 'status');
  expect(region.text).toContain('Thanks for signing up! Check your email for updates.');
  expect(region.properties).toMatchObject({ live: 'polite' });
  const name = "You're on the list! We'll email you when the beta is ready.";
  const message = await spoken(page, 'widgets-signup-form--success', 'group', name);
  expect(message.properties).toMatchObject({ focused: true });
});

test('the dialogs are modal and have names, and a wrong address is an alert', async ({ page }) => {
  const access = await spoken(page, 'widgets-access-dialog--empty', 'dialog', 'Admin Access');
  expect(access.properties).toMatchObject({ modal: true });
  const alert = await spoken(page, 'widgets-access-dialog--wrong-address', 'alert');
  expect(alert.text).toBe('Invalid admin email');
  const panel = await spoken(page, 'widgets-analytics-panel--figures', 'dialog', 'Analytics Overview');
  expect(panel.properties).toMatchObject({ modal: true });
  const landmarks = (await accessibilityTree(page)).filter(({ role }) => /banner|contentinfo/.test(role));
  expect(landmarks).toEqual([]);
});

test('the counter box is one button whose name includes both figures and what it opens', async ({ page }) => {
  const button = await spoken(page, 'widgets-counter-box--figures', 'button', 'Unique Visitors 1,248 Email Signups 86');
  expect(button.properties).toMatchObject({ hasPopup: 'dialog' });
});

test('with the real keyboard, the counter box opens the panel and gets the focus back', async ({ page }) => {
  await openStory(page, 'widgets-counter-box--figures');
  const box = page.getByRole('button', { name: /^Unique Visitors/ });
  await box.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Analytics Overview' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(box).toBeFocused();
});
