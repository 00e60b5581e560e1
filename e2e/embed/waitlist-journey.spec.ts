import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { whileOpen } from '../support/backend.ts';
import { type Clock, startClock } from '../support/clock.ts';
import { LINKS, receiveToken } from '../support/links.ts';
import { signIn, signInByLink } from '../support/sign-in.ts';
import { startBackend } from '../support/start-backend.ts';
import { ADMIN_EMAIL, test as base, expect } from './support/test.ts';

const KEY = '4hVt0qP9sLmZ2xYw7bKd';
/** As the embed of a builder whose sites share an origin. */
const SANDBOX = 'sandbox="allow-scripts allow-forms allow-popups"';

const HOUR_MS = 3_600_000;

const test = base.extend<object, { clock: Clock }>({
  clock: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => whileOpen(startClock(), use),
    { scope: 'worker' },
  ],
  backend: [
    async ({ clock }, use) => {
      const settings = {
        FORM_KEYS: `wix-shop:${KEY}`,
        JOIN_PAGE: 'on',
        CONFIRM: 'on',
        STATUS_PAGE: 'on',
        SHARE: 'on',
        SHOW_PLACES: 'on',
        MAIL_LANGUAGE: 'pl',
        INVITE_URL: 'https://product.example/join',
        SITE_DIR: 'none',
        BRAND_STYLES: '',
        ...clock.settings,
      };
      await whileOpen(startBackend(settings, { INVITE_KEY: randomUUID() }), use);
    },
    { scope: 'worker' },
  ],
});

// A page learns from the response to its first request that it has no session.
test.use({ locale: 'pl-PL', expectedComplaints: [/401 \(Unauthorized\)/] });

const LISTED = 'Jesteś na liście!';

/** Opens a link as an email program does, as a new document. */
async function openLink(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
}

async function confirm(page: Page, origin: string, token: string): Promise<void> {
  await openLink(page, `${origin}${LINKS.confirm}${token}`);
  await page.getByRole('button', { name: 'Potwierdź', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: LISTED })).toBeVisible();
  await expect(page.getByText('utm_source=share')).toBeVisible();
}

test('a visitor of a builder’s page joins in Polish, brings a friend, gets emails at set times, and leaves', async ({
  page,
  browser,
  contextOptions,
  site,
  backend,
  clock,
  email,
}) => {
  const { mailbox, database } = backend;
  const { origin } = backend.server;
  const [first, friend] = [`first-${email}`, `friend-${email}`];
  const tab = await page.context().newPage();
  const admin = await (await browser.newContext({ ...contextOptions, locale: 'en-GB' })).newPage();
  const call = async <T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> => {
    const response = await admin.request.post(`${origin}/api/admin${path}`, { data: body, headers });
    const text = await response.text();
    expect(response.status(), text).toBeLessThan(300);
    return JSON.parse(text || 'null');
  };

  await test.step('Another person is before them', async () => {
    await fetch(`${origin}/api/signup-form`, { method: 'POST', body: new URLSearchParams({ email: first }) });
    await confirm(tab, origin, await receiveToken(mailbox, first, 'confirm'));
  });

  await test.step('The visitor signs up in the frame', async () => {
    const frame = `<iframe src="${origin}/form?key=${KEY}" title="Sign up" width="360" height="320"></iframe>`;
    const embed = site.put(`<!doctype html><meta charset="utf-8"><title>Embed</title>${frame}`, 'default-src *');
    await page.goto(
      site.put(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title><iframe ${SANDBOX} src="${embed}" width="400" height="400"></iframe>`,
        'default-src *',
      ),
    );
    const form = page.frameLocator('iframe').frameLocator('iframe');
    await form.getByRole('textbox').fill(email);
    await form.getByRole('button', { name: 'Dołącz do bety' }).click();
    await expect(form.getByRole('heading', { name: 'Sprawdź swoją skrzynkę' })).toBeVisible();
    expect(await database.signup(email)).toMatchObject({ source: 'wix-shop', language: 'pl', state: 'pending' });
    expect((await mailbox.waitForMail(email)).subject).toBe('PrintMargin: potwierdź swój adres e-mail');
    await confirm(tab, origin, await receiveToken(mailbox, email, 'confirm'));
  });

  const shared = await test.step('They open their page from the email', async () => {
    await openLink(tab, `${origin}${LINKS.status}${await receiveToken(mailbox, email, 'status')}`);
    await expect(tab.getByText('Twoje miejsce w kolejce: 2')).toBeVisible();
    await expect(tab.getByText('Znajomi, którzy dołączyli: 0')).toBeVisible();
    const link = tab.getByText('utm_source=share');
    await expect(link).toBeVisible();
    return (await link.textContent()) ?? '';
  });

  await test.step('A friend joins by their link', async () => {
    const [publicUrl, path = ''] = [shared.slice(0, backend.publicUrl.length), shared.slice(backend.publicUrl.length)];
    expect(publicUrl).toBe(backend.publicUrl);
    expect(path).toMatch(/^\/join\?utm_source=share&utm_content=[\w-]{10}$/);
    const context = await browser.newContext({ ...contextOptions, locale: 'de-DE', javaScriptEnabled: false });
    const theirs = await context.newPage();
    await theirs.goto(origin + path);
    await theirs.getByRole('textbox').fill(friend);
    await theirs.getByRole('button', { name: 'Zur Beta anmelden' }).click();
    await expect(theirs.getByRole('heading', { level: 1 })).toBeVisible();
    await context.close();
    expect(await database.signup(friend)).toMatchObject({ source: 'join', language: 'de', utm_source: 'share' });
    await tab.reload();
    await expect(tab.getByText('Twoje miejsce w kolejce: 2')).toBeVisible();
    await confirm(page, origin, await receiveToken(mailbox, friend, 'confirm'));
    await tab.reload();
    await expect(tab.getByText('Znajomi, którzy dołączyli: 1')).toBeVisible();
    await expect(tab.getByText('Twoje miejsce w kolejce: 1')).toBeVisible();
  });

  await signIn(admin, origin, mailbox, ADMIN_EMAIL);

  await test.step('An agent adds a person once, and writes a draft that it cannot send', async () => {
    const added = `agent-${email}`;
    const { secret } = await call<{ secret: string }>('/api-keys', {
      name: 'Agent',
      scopes: ['people:add', 'campaigns:draft'],
    });
    const authorization = `Bearer ${secret}`;
    const person = { email: added, state: 'subscribed', consent_text: 'At the fair' };
    const headers = { authorization, 'Idempotency-Key': randomUUID() };
    const answer = await call('/people', person, headers);
    expect(await call('/people', person, headers)).toEqual(answer);
    expect(await database.signup(added)).toBeDefined();
    const draft = {
      revision: randomUUID(),
      replaces: [],
      subject: `Od agenta ${email}`,
      body: 'Nie',
      audience: { states: ['subscribed'], source: null, conditions: { language: 'pl' } },
      scheduled_at: Date.now(),
      time_zone: 'UTC',
      state: 'scheduled',
    };
    const { id, state } = await call<{ id: string; state: string }>('/campaigns', draft, { authorization });
    expect(state).toBe('draft');
    for (const [path, data] of [
      ['state', { to: 'sending' }],
      ['schedule', { at: '2099-01-01T00:00', zone: 'UTC' }],
      ['follow-up', { after_days: 1 }],
    ] as const) {
      const refused = await admin.request.post(`${origin}/api/admin/campaigns/${id}/${path}`, {
        data,
        headers: { authorization },
      });
      expect(refused.status(), path).toBe(403);
    }
  });

  const campaign = await test.step('The admin writes to the Polish visitors of the shop at a set time', async () => {
    const { conditions } = await call<{ conditions: object }>('/segments', {
      name: `Poland ${randomUUID()}`,
      conditions: { source: 'wix-shop', language: 'pl' },
    });
    const { id } = await call<{ id: string }>('/campaigns', {
      subject: `Otwieramy ${email}`,
      body: '# Zapraszamy',
      audience: { states: ['subscribed'], source: null, conditions },
      revision: randomUUID(),
      replaces: [],
    });
    const at = new Date(Date.now() + 2 * HOUR_MS).toISOString().slice(0, 16);
    await call(`/campaigns/${id}/schedule`, { at, zone: 'UTC' });
    await admin.goto(`${origin}/admin/campaigns`);
    const card = admin.getByRole('region', { name: `Otwieramy ${email}` });
    await expect(card.getByText(/^for .* \(UTC\)/)).toBeVisible();
    await clock.advance(2 * HOUR_MS);
    await expect.poll(() => mailbox.mailsTo(email).length).toBe(2);
    expect(mailbox.mailsTo(friend)).toHaveLength(1);
    expect(mailbox.mailsTo(first)).toHaveLength(1);
    await openLink(tab, `${origin}${LINKS.status}${await receiveToken(mailbox, email, 'status', 1)}`);
    await expect(tab.getByText('Twoje miejsce w kolejce: 1')).toBeVisible();
    return id;
  });

  await test.step('The first in line is invited, and reminded a day later', async () => {
    await call('/invites', { count: 1, after: null, order: 'place' });
    await expect.poll(() => mailbox.mailsTo(email).length).toBe(3);
    await tab.reload();
    await expect(tab.getByRole('heading', { level: 1, name: 'Masz zaproszenie' })).toBeVisible();
    const draft = await call<{ id: string; audience: object; revision: string }>(`/campaigns/${campaign}/follow-up`, {
      after_days: 1,
    });
    const { id, audience } = draft;
    const content = { subject: `Czekamy ${email}`, body: 'Wejdź', audience };
    await call(`/campaigns/${id}`, { ...content, revision: randomUUID(), replaces: [draft.revision] });
    await call(`/campaigns/${id}/schedule`, { at: null, zone: 'UTC' });
    await clock.advance(25 * HOUR_MS);
    await expect.poll(() => mailbox.mailsTo(email).length).toBe(4);
    expect(mailbox.mailsTo(friend)).toHaveLength(1);
    expect(mailbox.mailsTo(first)).toHaveLength(1);
    await signInByLink(admin, origin, mailbox, ADMIN_EMAIL);
    await admin.goto(`${origin}/admin/campaigns`);
    const results = admin.getByRole('row', { name: `Otwieramy ${email}` });
    await expect(results.getByRole('cell')).toHaveText(['1', '0', '0', '0', '0']);
  });

  await test.step('They erase their data on their page', async () => {
    await openLink(tab, `${origin}${LINKS.status}${await receiveToken(mailbox, email, 'status', 3)}`);
    await tab.getByRole('button', { name: 'Usuń moje dane' }).click();
    await tab.getByRole('button', { name: 'Tak, usuń wszystko' }).click();
    await expect(tab.getByRole('heading', { level: 1, name: 'Twoje dane zostały usunięte' })).toBeVisible();
    expect(await database.signup(email)).toBeUndefined();
  });
  await admin.context().close();
});
