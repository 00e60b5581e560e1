import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { LIMIT_MS } from '@early-access-kit/testkit/hanging';
import type { Locator, Page } from '@playwright/test';
import { ADMIN_EMAIL, test as base, expect } from '../embed/support/test.ts';
import { whileOpen } from '../support/backend.ts';
import { type Clock, startClock } from '../support/clock.ts';
import { LINKS, receiveToken } from '../support/links.ts';
import { signInByLink } from '../support/sign-in.ts';
import { startBackend } from '../support/start-backend.ts';

const KEY = '4hVt0qP9sLmZ2xYw7bKd';
/** Like the embed of a website builder whose sites share an origin. */
const SANDBOX = 'sandbox="allow-scripts allow-forms allow-popups"';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const test = base.extend<object, { clock: Clock }>({
  clock: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => whileOpen(startClock(), use),
    { scope: 'worker' },
  ],
  backend: [
    async ({ clock }, use, { project }) => {
      const settings = {
        FORM_KEYS: `wix-shop:${KEY}`,
        JOIN_PAGE: 'on',
        CONFIRM: 'on',
        STATUS_PAGE: 'on',
        SHARE: 'on',
        SHOW_PLACES: 'on',
        MAIL_LANGUAGE: 'pl',
        INVITE_URL: 'https://product.example/join',
        SIGNUP_FIELDS: fileURLToPath(new URL('fields.json', import.meta.url)),
        SITE_DIR: 'none',
        BRAND_STYLES: '',
        ...clock.settings,
      };
      await whileOpen(startBackend(settings, { INVITE_KEY: randomUUID() }, project.name), use);
    },
    // Firebase's emulators are Java programs and start slowly.
    { scope: 'worker', timeout: 5 * LIMIT_MS },
  ],
});

// The dashboard's first request tells it that there is no session.
test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

const POLISH = { confirm: 'Potwierdź', listed: 'Jesteś na liście!' };
const GERMAN = { confirm: 'Bestätigen', listed: 'Du stehst auf der Liste!' };

/** Opens a link as a new document, like an email program. */
async function openLink(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
}

async function confirm(page: Page, origin: string, token: string, texts = POLISH): Promise<void> {
  await openLink(page, `${origin}${LINKS.confirm}${token}`);
  await page.getByRole('button', { name: texts.confirm, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: texts.listed })).toBeVisible();
  await expect(page.getByText('utm_source=share')).toBeVisible();
}

test.describe(() => {
  test.use({ locale: 'pl-PL' });

  test('a visitor of a builder’s page joins in Polish, refers a friend, gets emails at scheduled times, and leaves', async ({
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
      const [publicUrl, path = ''] = [
        shared.slice(0, backend.publicUrl.length),
        shared.slice(backend.publicUrl.length),
      ];
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

    await signInByLink(admin, origin, mailbox, ADMIN_EMAIL);

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
});

test.describe(() => {
  test.use({ locale: 'de-DE' });

  test('an admin limits the list, emails all matching people, and the product only lets invited people in', async ({
    page,
    browser,
    contextOptions,
    backend,
    clock,
    email,
  }) => {
    const { mailbox, database } = backend;
    const { origin } = backend.server;
    const label = 'Founders';
    const [lena, zoe, late, gone] = [`lena-${email}`, `zoe-${email}`, `late-${email}`, `gone-${email}`];
    const admin = await (await browser.newContext({ ...contextOptions, locale: 'en-GB' })).newPage();

    const post = async (path: string, body: object) => {
      const response = await page.request.post(`${origin}/api${path}`, { data: body });
      return { status: response.status(), body: await response.json() };
    };
    /** Signs up like an API client, in French. */
    const signUp = (address: string) =>
      post('/signups', {
        ...{ email: address, source: 'partner', submission_id: randomUUID(), lang: 'fr' },
        fields: { role: 'artist' },
      });
    const join = async (address: string, button: string) => {
      await page.goto(`${origin}/join`);
      await page.getByRole('textbox').fill(address);
      await page.getByLabel('Your role').selectOption('Shop owner');
      await page.getByRole('button', { name: button }).click();
    };
    const openPage = (name: string) => admin.getByRole('link', { name, exact: true }).click();
    const changeList = async (change: (dialog: Locator) => Promise<void>) => {
      await openPage('Settings');
      await admin.getByRole('button', { name: 'Change signups' }).click();
      const dialog = admin.getByRole('dialog', { name: 'Signups' });
      await change(dialog);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toBeHidden();
    };

    await signInByLink(admin, origin, mailbox, ADMIN_EMAIL);

    await test.step('The admin leaves two places', async () => {
      await changeList((dialog) => dialog.getByLabel(/^Places/).fill('1000'));
      const taken = await admin.getByText(/of 1,000 places are taken/).textContent();
      await changeList(async (dialog) => {
        await dialog.getByLabel(/^Places/).fill(String(Number.parseInt(taken ?? '', 10) + 2));
        await dialog.getByLabel(/^Message to visitors/).fill('Bald mehr');
        await dialog.getByLabel('Link to another page').fill('https://studio.example/news');
        await dialog.getByLabel('Link text').fill('Unser Blog');
        await dialog.getByLabel(/^Save addresses/).check();
      });
    });

    await test.step('Two people take them, and confirm in the language of their page', async () => {
      await join(lena, 'Zur Beta anmelden');
      await expect(page.getByRole('heading', { level: 1, name: 'Schau in dein Postfach' })).toBeVisible();
      expect((await mailbox.waitForMail(lena)).subject).toBe('Bestätige deine E-Mail-Adresse für PrintMargin');
      await confirm(page, origin, await receiveToken(mailbox, lena, 'confirm'), GERMAN);
      expect((await signUp(zoe)).status).toBe(201);
      expect((await mailbox.waitForMail(zoe)).subject).toBe('Confirmez votre adresse e-mail pour PrintMargin');
      const token = await receiveToken(mailbox, zoe, 'confirm');
      expect((await post('/confirm', { token })).body).toMatchObject({ result: 'confirmed' });
    });

    await test.step('The next ones are told that the list is full, and wait for it to open', async () => {
      await join(late, 'Bescheid sagen');
      await expect(page.getByRole('heading', { level: 1, name: 'Wir sagen dir Bescheid' })).toBeVisible();
      const link = { url: 'https://studio.example/news', text: 'Unser Blog' };
      expect(await signUp(gone)).toMatchObject({
        status: 403,
        body: { error: { code: 'list-closed', closed: { reason: 'full', is_kept: true, link } } },
      });
      await page.goto(`${origin}/join`);
      await expect(page.getByRole('heading', { level: 1, name: 'Die Liste ist voll' })).toBeVisible();
      await expect(page.getByText('Bald mehr')).toBeVisible();
      await expect(page.getByRole('link', { name: link.text })).toHaveAttribute('href', link.url);
      for (const address of [late, gone]) expect(await database.signup(address)).toBeUndefined();
      await openPage('Overview');
      await openPage('Settings');
      await expect(admin.getByText('Full: nobody can sign up')).toBeVisible();
      await admin.getByRole('button', { name: 'Show waiting people' }).click();
      const waiting = admin.getByRole('dialog', { name: 'Waiting for the list to open' });
      for (const address of [late, gone]) await expect(waiting.getByRole('rowheader', { name: address })).toBeVisible();
      await admin.keyboard.press('Escape');
    });

    /** Acts on all people on the page, as a job. */
    const actOnAll = async (act: (dialog: Locator) => Promise<void>, result: string) => {
      await admin.getByRole('button', { name: 'Act on all 2…' }).click();
      await act(admin.getByRole('dialog', { name: 'All 2 people' }));
      await expect(admin.getByText(result)).toBeVisible();
    };
    const filterByLabel = async (label: string) => {
      await admin.getByRole('button', { name: 'Add filter' }).click();
      const filter = admin.getByRole('form', { name: 'Add a filter' });
      await filter.getByLabel('Filter by').selectOption('Labels');
      await filter.getByRole('checkbox', { name: label }).check();
      await filter.getByRole('button', { name: 'Add' }).click();
    };
    const filterPeople = async (label: string) => {
      await admin.getByRole('button', { name: 'Filters' }).click();
      await filterByLabel(label);
      await admin.keyboard.press('Escape');
    };

    await test.step('The admin gives all that match a label', async () => {
      await openPage('People');
      await admin.getByRole('searchbox', { name: 'Search' }).fill(email);
      await actOnAll(async (dialog) => {
        await dialog.getByRole('combobox', { name: 'Label', exact: true }).fill(label);
        await dialog.getByRole('button', { name: 'Label 2 people' }).click();
      }, '2 people labeled.');
    });

    const subject = `News ${email} `;
    const news = admin.getByRole('region', { name: subject });

    await test.step('They write to the people with that label, and one outcome is unknown', async () => {
      await openPage('Campaigns');
      await admin.getByRole('button', { name: 'Create campaign' }).first().click();
      await admin.getByLabel('Subject').fill(subject);
      await admin.getByRole('button', { name: 'Your role', exact: true }).click();
      await expect(admin.getByLabel('Subject')).toHaveValue(`${subject}{{fields.role}}`);
      await admin.getByLabel(/^Text/).fill('Stored: {{fields.role.value}}.');
      await filterByLabel(label);
      // Simulates a server that ends the connection instead of replying.
      mailbox.refuse([{ to: zoe, at: 'DATA', reply: '600 lost' }]);
      await admin.getByRole('button', { name: 'Send to 2 people…' }).click();
      await admin.getByRole('button', { name: 'Start sending' }).click();
      await expect(news.getByText('1 of 2 people, 1 unknown')).toBeVisible();
      mailbox.refuse([]);
      expect(await mailbox.waitForMail(lena, 1)).toMatchObject({
        subject: `${subject}Shop owner`,
        text: expect.stringMatching(/Stored: shop\..*Abmelden/s),
      });
    });

    await test.step('They read it again, decide about the unknown outcome, and duplicate it', async () => {
      await news.getByRole('button', { name: 'Read' }).click();
      await expect(admin.getByRole('region', { name: 'Text' })).toHaveText('Stored: {{fields.role.value}}.');
      await admin.getByRole('button', { name: `Resolve delivery to ${zoe}…` }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
      expect(await mailbox.waitForMail(zoe, 1)).toMatchObject({
        subject: `${subject}Artist`,
        text: expect.stringMatching(/Stored: artist\..*Se désabonner/s),
      });
      await admin.getByRole('button', { name: 'Duplicate' }).click();
      await expect(admin.getByRole('region', { name: 'Draft' })).toBeVisible();
      await expect(admin.getByLabel('Subject')).toHaveValue(`${subject}{{fields.role}}`);
      await expect(admin.getByText('It goes to 2 people, within an hour.')).toBeVisible();
      await admin.getByRole('button', { name: 'Back to all campaigns' }).click();
      await expect(admin.getByRole('row', { name: subject }).getByRole('cell')).toHaveText(['2', '0', '0', '0', '0']);
    });

    const series = admin.getByRole('region', { name: 'After signing up' });

    await test.step('They turn an email on that comes two days after signing up', async () => {
      await series.getByRole('button', { name: 'Add an email…' }).click();
      const dialog = admin.getByRole('dialog', { name: 'Add an email' });
      await dialog.getByLabel('Days').fill('2');
      await dialog.getByRole('button', { name: 'Write email' }).click();
      await admin.getByLabel('Subject').fill(`Tips ${email} {{fields.role}}`);
      await admin.getByLabel(/^Text/).fill('Two days later.');
      await expect(admin.getByText('Saved', { exact: true })).toBeVisible();
      await admin.getByRole('button', { name: 'Back to all campaigns' }).click();
      await series.getByRole('button', { name: 'Turn on…' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Turn on', exact: true }).click();
      await expect(series.getByRole('row', { name: `Tips ${email}` })).toContainText('On');
    });

    await test.step('The list opens for a day: who waited is signed up, and one of them leaves', async () => {
      await changeList(async (dialog) => {
        await dialog.getByLabel(/^Places/).fill('');
        const end = new Date(clock.now() + DAY_MS).toISOString().slice(0, 16);
        await dialog.getByLabel(/^Close it at/).fill(end);
      });
      expect((await mailbox.waitForMail(late)).subject).toBe('Bestätige deine E-Mail-Adresse für PrintMargin');
      await confirm(page, origin, await receiveToken(mailbox, late, 'confirm'), GERMAN);
      const token = await receiveToken(mailbox, gone, 'confirm');
      expect((await post('/confirm', { token })).body).toMatchObject({ result: 'confirmed' });
      const leave = await receiveToken(mailbox, gone, 'unsubscribe');
      expect((await post('/unsubscribe', { token: leave })).body).toEqual({ result: 'unsubscribed' });
      expect(await database.signup(late)).toMatchObject({ state: 'subscribed', language: 'de' });
    });

    await test.step('The product lets in only who is invited', async () => {
      const refusal = 'You need an invitation to sign up.';
      expect(await backend.createAccount(lena)).toContain(refusal);
      await openPage('People');
      await filterPeople(label);
      await actOnAll(async (dialog) => {
        await dialog.getByLabel('Action').selectOption('Invite those who are waiting');
        await dialog.getByRole('button', { name: 'Invite up to 2 people' }).click();
      }, '2 people invited.');
      expect((await mailbox.waitForMail(lena, 2)).subject).toBe('Deine Einladung zu PrintMargin');
      expect((await mailbox.waitForMail(zoe, 2)).subject).toBe('Votre invitation à PrintMargin');
      expect(await backend.createAccount(lena)).toBeNull();
      expect(await backend.createAccount(late)).toContain(refusal);
      await openPage('Invites');
      await openPage('People');
      await filterPeople(label);
      await expect(admin.getByRole('row', { name: lena })).toContainText('Joined');
      await expect(admin.getByRole('row', { name: zoe })).toContainText('Invited');
      await openPage('Health');
      await expect(admin.getByRole('rowheader', { name: /^Started an action on 2 people/ })).toHaveCount(2);
    });

    await test.step('Two days later only who has signed up since, and stayed, gets the email, and the list is closed', async () => {
      await clock.advance(3 * DAY_MS);
      expect(await mailbox.waitForMail(late, 1)).toMatchObject({
        subject: `Tips ${email} Shop owner`,
        text: expect.stringMatching(/Two days later.*Abmelden/s),
      });
      await page.goto(`${origin}/join`);
      await expect(page.getByRole('heading', { level: 1, name: 'Die Anmeldung ist geschlossen' })).toBeVisible();
      await signInByLink(admin, origin, mailbox, ADMIN_EMAIL);
      await openPage('Campaigns');
      const counts = series.getByRole('row', { name: `Tips ${email}` }).getByRole('cell');
      await expect(counts).toHaveText([/On/, '0', '1', '0', '0', '0', /./]);
      expect([lena, zoe, late, gone].map((address) => mailbox.mailsTo(address).length)).toEqual([3, 3, 2, 1]);
    });
    await admin.context().close();
  });
});
