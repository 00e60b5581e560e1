import { expect, test } from './support/test.ts';

test.use({ settings: async ({ site }, use) => use({ FORM_ORIGINS: site.origin, JOIN_PAGE: 'on' }) });

const THANKS = '<h2>Thanks from the studio</h2>';

const renderForm = (server: string, successUrl: string) => `
  <form method="post" action="${server}/api/signup-form">
    <input type="hidden" name="success_url" value="${successUrl}">
    <label>Email address <input type="email" name="email" required></label><button>Join the beta</button>
  </form>`;

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, expectedComplaints: [/409 \(Conflict\)/] });

  test('a form leads to its site’s page, and after a duplicate to the result page', { tag: '@main' }, async ({
    page,
    put,
    backend,
    email,
  }) => {
    const thanks = put(THANKS, '');
    const form = put(renderForm(backend.server.origin, thanks), '', `form-action ${backend.server.origin} 'self'`);
    for (const [heading, url] of [
      ['Thanks from the studio', thanks],
      ['This email is already registered!', `${backend.server.origin}/api/signup-form`],
    ] as const) {
      await page.goto(form);
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button').click();
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      expect(page.url()).toBe(url);
    }
    expect(await backend.database.signup(email)).toBeDefined();
  });

  test('a form of /join leads to a page of another site', async ({ page, put, backend, email }) => {
    const thanks = put(THANKS, '');
    await page.goto(`${backend.server.origin}/join?success_url=${encodeURIComponent(thanks)}`);
    await page.getByRole('textbox').fill(email);
    await page.getByRole('button').click();
    await expect(page.getByRole('heading', { name: 'Thanks from the studio' })).toBeVisible();
    expect(page.url()).toBe(thanks);
  });

  test('nothing leads to an origin that is not allowed', async ({ page, put, backend, email }) => {
    const { origin } = backend.server;
    const foreign = 'http://127.0.0.1:9/thanks';
    await page.goto(put(renderForm(origin, foreign), ''));
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button').click();
    await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
    expect(page.url()).toBe(`${origin}/api/signup-form`);
    await page.goto(`${origin}/join?success_url=${encodeURIComponent(foreign)}`);
    expect(await page.content()).not.toContain(foreign);
  });
});

test('the element leads to the page in its attribute, but not without the script', async ({
  page,
  put,
  script,
  gate,
  backend,
  email,
}) => {
  const thanks = put(THANKS, '');
  const element = `<early-access-form no-bot-guard success-url="${new URL(thanks).pathname}"></early-access-form>`;
  const signUp = async (url: string, address: string) => {
    await page.goto(url);
    await page.getByLabel('Email address').fill(address);
    await page.getByRole('button', { name: 'Join the beta' }).click();
  };
  const more = `<script src="${gate.origin}/embed-success.js" defer></script>`;
  await signUp(put(element, script + more), email);
  await expect(page.getByRole('heading', { name: 'Thanks from the studio' })).toBeVisible();
  expect(page.url()).toBe(thanks);
  expect(await backend.database.signup(email)).toBeDefined();

  const plain = put(element);
  await signUp(plain, `second-${email}`);
  await expect(page.getByText("You're on the list!")).toBeVisible();
  expect(page.url()).toBe(plain);
});
