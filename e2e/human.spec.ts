import { randomUUID } from 'node:crypto';
import type { Page, Request } from '@playwright/test';
import { CHECKS, type Check, type CheckedHost, type PageOptions, startCheckedHost } from './human/host.ts';
import { type Providers, serveProviders } from './human/providers.ts';
import { countLayoutShift, layoutShift } from './support/layout-shift.ts';
import { test as base, expect, FAILED, toast } from './support/test.ts';

interface TestFixtures {
  /** Opens a page with a check, and with fakes of the providers' scripts. */
  open(check: Check, options?: PageOptions): Promise<CheckedHost & { providers: Providers }>;
}

const test = base.extend<TestFixtures, { hosts: (check: Check) => Promise<CheckedHost> }>({
  hosts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => {
      const started = new Map<Check, Promise<CheckedHost>>();
      await use((check) => {
        const host = started.get(check) ?? startCheckedHost(check);
        started.set(check, host);
        return host;
      });
      for (const host of started.values()) await (await host).close();
    },
    { scope: 'worker' },
  ],

  open: async ({ page, hosts }, use) => {
    await use(async (check, options) => {
      const host = await hosts(check);
      host.verifier.isDown = false;
      const providers = await serveProviders(page, host.verifier.issue);
      await page.goto(await host.servePage(page, options));
      return { ...host, providers };
    });
  },

  // Each test has its own servers.
  baseURL: undefined,
  extraHTTPHeaders: {},
});

// One worker, which starts each server once.
test.describe.configure({ mode: 'default' });

const findField = (page: Page, form = 0) => page.getByLabel('Email address').nth(form);
const success = (page: Page) => page.getByText("You're on the list!");

async function signUp(page: Page, email: string, form = 0): Promise<void> {
  await findField(page, form).fill(email);
  await findField(page, form).press('Enter');
}

const renderElement = (check: string, origin: string) =>
  `<early-access-form human-check="${check}" site-key="site-key" no-bot-guard></early-access-form>
   <script src="${origin}/embed.js" defer></script>`;

for (const check of CHECKS) {
  test.describe(check, () => {
    test('a signup works, and nothing is loaded before the form is used', { tag: '@main' }, async ({
      page,
      open,
      email,
    }) => {
      const requests: Request[] = [];
      page.on('request', (request) => requests.push(request));
      await page.addInitScript(countLayoutShift);
      const { backend, verifier, providers } = await open(check);
      await expect(page.getByRole('button').first()).toBeEnabled();
      const button = await page.getByRole('button').first().boundingBox();
      const shift = await layoutShift(page);
      const needed = () => requests.filter((request) => /human|cloudflare|hcaptcha/.test(request.url()));
      expect(needed()).toEqual([]);

      const verified = verifier.requests.length;
      const posted = page.waitForRequest('**/api/signups');
      await signUp(page, email);
      await expect(success(page)).toBeVisible();
      expect(await backend.database.signup(email)).toMatchObject({ email });
      expect((await posted).postDataJSON().human_token).toMatch(/^[\w.=+/-]{30,}$/);
      expect(verifier.requests.length - verified).toBe(check === 'proof-of-work' ? 0 : 1);
      expect(providers.requested.filter((url) => url.endsWith('api.js'))).toHaveLength(
        check === 'proof-of-work' ? 0 : 1,
      );

      // The second form shares the script and gets another token.
      const other = `artist-${randomUUID()}@example.org`;
      await signUp(page, other, 1);
      await expect(success(page)).toHaveCount(2);
      expect(await backend.database.signup(other)).toBeDefined();
      expect(providers.requested.filter((url) => url.endsWith('api.js'))).toHaveLength(
        check === 'proof-of-work' ? 0 : 1,
      );
      expect(await page.getByRole('button', { includeHidden: true }).first().boundingBox()).toEqual(button);
      expect(await layoutShift(page)).toBe(shift);
    });

    test.describe('if the service is unreachable', () => {
      test.use({ expectedComplaints: [/Failed to load resource/] });

      test('the usual error is shown, and the next attempt succeeds', async ({ page, open, email }) => {
        const { backend, verifier, providers } = await open(check);
        providers.areDown = true;
        const challenge = '**/api/human-challenge';
        await page.route(challenge, (route) => route.abort('connectionrefused'));
        await signUp(page, email);
        await expect(toast(page, FAILED)).toBeVisible();
        await expect(findField(page)).toBeFocused();
        await expect(findField(page)).toHaveValue(email);

        providers.areDown = false;
        await page.unroute(challenge);
        if (check !== 'proof-of-work') {
          // The page reaches the provider, but the server does not.
          verifier.isDown = true;
          await findField(page).press('Enter');
          await expect(toast(page, FAILED)).toBeHidden();
          await expect(toast(page, FAILED)).toBeVisible();
          verifier.isDown = false;
        }
        await findField(page).press('Enter');
        await expect(success(page)).toBeVisible();
        expect(await backend.database.signup(email)).toBeDefined();
      });
    });

    test('the element works the same under Trusted Types, and loads the checks when the form is used', async ({
      page,
      open,
      hosts,
      email,
    }) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      const { origin } = (await hosts(check)).backend.server;
      const policies = check === 'proof-of-work' ? '' : `early-access-kit-${check}`;
      const directives = `require-trusted-types-for 'script'; trusted-types early-access-kit ${policies}`;
      const { backend } = await open(check, { body: renderElement(check, origin), directives });
      await expect(page.getByRole('button')).toBeEnabled();
      expect(requests.filter((path) => path.includes('embed-'))).toEqual([]);
      await findField(page).focus();
      await expect.poll(() => requests.filter((path) => path.includes('embed-human'))).toHaveLength(1);
      await signUp(page, email);
      await expect(success(page)).toBeVisible();
      expect(await backend.database.signup(email)).toBeDefined();
      expect(requests.filter((path) => path.includes('embed-human'))).toHaveLength(1);
      // The widget's slotted element is removed.
      expect(await page.locator('early-access-form').innerHTML()).toBe('');
    });

    test('without scripts, the address is to be confirmed', async ({ browser, hosts, email }) => {
      const { backend, servePage } = await hosts(check);
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const { origin } = backend.server;
      const form = `<form method="post" action="${origin}/api/signup-form"><label>Email address <input name="email"></label></form>`;
      await page.goto(await servePage(page, { body: form }));
      await signUp(page, email);
      await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
      expect(await backend.database.value('SELECT state FROM email_signups WHERE email = ?', email)).toBe('pending');
      await backend.mailbox.waitForMail(email);
      await context.close();
    });
  });
}

for (const kind of ['React', 'element']) {
  test(`a question of Turnstile is answered with the keyboard alone (${kind})`, async ({
    page,
    open,
    hosts,
    email,
  }) => {
    const { origin } = (await hosts('turnstile')).backend.server;
    const body = kind === 'element' ? { body: renderElement('turnstile', origin) } : {};
    const { backend, providers } = await open('turnstile', body);
    providers.asks = true;
    await signUp(page, email);
    const group = page.getByRole('group', { name: 'Please confirm that you are human' });
    await expect(group).toBeFocused();
    await expect(group).toBeInViewport();
    // Below the button, and above what follows the form.
    const [button, question] = await Promise.all([page.getByRole('button').first().boundingBox(), group.boundingBox()]);
    expect(question?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0));
    expect(question?.height).toBeGreaterThan(60);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(success(page)).toBeVisible();
    expect(await backend.database.signup(email)).toBeDefined();
    await expect(group).toHaveCount(0);
    await expect(page.locator('.eak-signup__success')).toBeFocused();
  });
}
