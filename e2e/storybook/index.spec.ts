import { entries, expect, test } from './catalogue.ts';

/** Every visible state, by story id. */
const STATES = {
  'widgets-signup-form': [
    'idle',
    'focused',
    'filled',
    'invalid',
    'invalid-without-message',
    'submitting',
    'success',
    'duplicate',
    'failure',
    'rate-limited',
    'offline',
    'disabled',
    'very-long-address',
    'prefilled',
    'without-scripts',
    'without-scripts-nor-action',
  ],
  'widgets-human-checks': ['asks', 'answered', 'succeeds', 'fails'],
  'widgets-state-sheet': ['signup-form-states'],
  'widgets-toasts': ['success', 'failure', 'several', 'long-text', 'dismissed'],
  'widgets-access-dialog': ['empty', 'typing', 'wrong-address', 'checking', 'unreachable'],
  'widgets-counter-box': ['loading', 'figures', 'zero', 'million', 'unreachable'],
  'widgets-analytics-panel': ['loading', 'figures', 'empty', 'unreachable', 'logout'],
  'emails-welcome': ['desktop', 'phone', 'dark', 'second-brand', 'second-brand-phone-dark', 'long-name'],
  'server-pages-results': [
    'created',
    'check-your-inbox',
    'duplicate',
    'invalid-address',
    'missing-field',
    'invalid-field',
    'failed',
    'without-origin',
    'foreign-origin',
  ],
  'server-pages-confirm': ['ask', 'confirmed', 'already-confirmed', 'expired', 'renewed', 'unknown', 'new-link-sent'],
  'server-pages-invite': ['open', 'unknown', 'new-link-sent'],
  'server-pages-unsubscribe': ['ask', 'unsubscribed', 'unknown', 'failed'],
  'landing-page-whole-page': ['page', 'invalid-address', 'joined', 'counter-box', 'analytics-panel', 'access-dialog'],
  'landing-page-404-page': ['not-found'],
  'emails-printmargin-welcome': ['desktop', 'phone', 'dark', 'phone-dark'],
};

const listed = entries();

for (const [component, states] of Object.entries(STATES)) {
  test(`${component} has a story for each state`, () => {
    const stories = listed.filter(({ type }) => type === 'story').map(({ id }) => id);
    expect(stories).toEqual(expect.arrayContaining(states.map((state) => `${component}--${state}`)));
  });
}

test('the pages are in the order of the product', () => {
  const areas = new Set(listed.map(({ title }) => title.split('/')[0]));
  const order = ['Guide', 'Widgets', 'Server pages', 'Emails', 'Landing page', 'Dashboard', 'Hosts'];
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

test('the guide is complete, and every widget has a page', () => {
  const docs = listed.filter(({ type }) => type === 'docs').map(({ id }) => id);
  const guide = [
    'getting-started',
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
