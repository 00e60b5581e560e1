import { entries, expect, test } from './catalogue.ts';

const listed = entries();

test('the pages are in the order of the product', () => {
  const areas = new Set(listed.map(({ title }) => title.split('/')[0]));
  const order = ['Foundations', 'Guide', 'Widgets', 'Server pages', 'Emails', 'Landing page', 'Dashboard', 'Hosts'];
  expect([...areas]).toEqual(order);
  const widgets = new Set(
    listed.filter(({ title }) => title.startsWith('Widgets/')).map(({ title }) => title.slice(8)),
  );
  expect([...widgets]).toEqual([
    'Signup form',
    'Signup form with fields',
    'Email suggestion',
    'Human checks',
    'Share link',
    'Toasts',
    'Session tracker',
    'Access dialog',
    'Counter box',
    'Analytics panel',
    'Provider',
    'State sheet',
  ]);
});

test('names of stories have sentence capitalization', () => {
  const capitals = listed.filter(({ name }) => / (?!CSS|CSV|URL|Arabic|Spanish)[A-Z]/.test(name));
  expect(capitals.map(({ name }) => name)).toEqual([]);
});

test('Storybook has the name and the mark of the kit', async ({ page }) => {
  await page.goto('/');
  const brand = page.getByRole('img', { name: 'early-access-kit' });
  await expect(brand).toBeVisible();
  expect(await brand.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(160);
});

test('the guide is complete, and every widget has a page', () => {
  const docs = listed.filter(({ type }) => type === 'docs').map(({ id }) => id);
  const guide = [
    'getting-started',
    'signup-form',
    'custom-elements',
    'server-rendering',
    'theming',
    'messages',
    'adapters',
    'accessibility',
    'accessibility-form',
    'accessibility-toasts',
    'accessibility-overlay',
    'tracker-and-privacy',
  ];
  const widgets = [
    'signup-form',
    'toasts',
    'access-dialog',
    'counter-box',
    'analytics-panel',
    'provider',
    'session-tracker',
  ];
  expect(docs).toEqual(
    expect.arrayContaining([
      ...guide.map((page) => `guide-${page}--docs`),
      ...widgets.map((page) => `widgets-${page}--docs`),
    ]),
  );
});

test('every title has a docs page, and one title is one email or page', () => {
  const titles = new Set(listed.map(({ title }) => title));
  const documented = new Set(listed.filter(({ type }) => type === 'docs').map(({ title }) => title));
  expect([...titles].filter((title) => !documented.has(title))).toEqual([]);
  const emails = [...titles].filter((title) => title.startsWith('Emails/')).map((title) => title.slice(7));
  expect(emails).toEqual([
    ...['Confirmation', 'Reminder', 'Welcome', 'Status link', 'Invitation', 'Campaign'],
    ...['Sign-in link', 'Weekly', 'New signups', 'Webhook disabled', 'Campaigns paused', 'Passkey added'],
    'Test email',
  ]);
});
