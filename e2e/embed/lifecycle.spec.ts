import type { Page } from '@playwright/test';
import { readStored, startedVisit } from '../support/visit.ts';
import { expect, test } from './support/test.ts';

const fields = (page: Page) => page.getByLabel('Email address');
const sessions = (page: Page) => page.evaluate(() => localStorage.getItem('current_session'));

test('an element can be added later, and its properties set before the script has loaded', { tag: '@main' }, async ({
  page,
  put,
}) => {
  await page.goto(put('<p>Nothing yet</p>'));
  await page.evaluate(() => {
    const form = document.createElement('early-access-form');
    Object.assign(form, { errors: 'none', source: 'later', value: 'ada@example.org', disabled: true });
    document.querySelector('main')?.append(form);
  });
  await expect(fields(page)).toHaveValue('ada@example.org');
  await expect(fields(page)).toBeDisabled();
  await page.locator('early-access-form').evaluate((form) => form.removeAttribute('disabled'));
  await expect(fields(page)).toBeEnabled();
  expect(await page.locator('early-access-form').evaluate((form) => form.outerHTML)).toBe(
    '<early-access-form errors="none" source="later" value="ada@example.org"></early-access-form>',
  );
});

test('a moved element keeps its typed text, its success state and its session', async ({
  page,
  put,
  email,
  backend,
}) => {
  await page.goto(
    put(`<section id="from"><early-access-form no-bot-guard></early-access-form><early-access-tracker></early-access-tracker>
      </section><section id="to"></section>`),
  );
  const id = await startedVisit(page, backend.database);
  const move = (to: string) =>
    page.evaluate((selector) => {
      const elements = document.querySelectorAll('early-access-form, early-access-tracker');
      document.querySelector(selector)?.append(...elements);
    }, to);
  await fields(page).fill(email);
  const session = await sessions(page);
  await move('#to');
  await expect(page.locator('#to').getByLabel('Email address')).toHaveValue(email);
  await fields(page).press('Enter');
  await expect(page.getByText("You're on the list!")).toBeVisible();
  await move('#from');
  await expect(page.locator('#from').getByText("You're on the list!")).toBeVisible();
  expect(await sessions(page)).toBe(session);
  expect(await backend.database.session(id)).toMatchObject({ session_end: null, page_count: 1 });
});

test('removing an element ends its session, and adding it again resumes the session', async ({
  page,
  put,
  backend,
}) => {
  await page.goto(put('<early-access-form></early-access-form><early-access-tracker></early-access-tracker>'));
  const id = await startedVisit(page, backend.database);
  await page.evaluate(() => document.querySelector('main')?.replaceChildren());
  await expect.poll(async () => (await backend.database.session(id))?.session_end).toEqual(expect.any(Number));
  expect(await readStored(page, 'current_session')).toBeNull();
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('early-access-tracker')));
  await expect.poll(async () => (await readStored(page, 'current_session'))?.sessionId).toBe(id);
});

test('with elements and script included twice, there are two forms, one session and one overlay', async ({
  page,
  put,
  gate,
  email,
  backend: { database },
}) => {
  const script = `<script src="${gate.origin}/embed.js" defer></script>`;
  const elements = '<early-access-form no-bot-guard></early-access-form><early-access-tracker></early-access-tracker>';
  const admin = '<early-access-admin></early-access-admin>';
  const before = gate.seen.length;
  await page.goto(put((elements + admin).repeat(2), script + script));
  await startedVisit(page, database);
  await expect(fields(page)).toHaveCount(2);
  expect(await readStored(page, 'current_session')).toMatchObject({ pageViews: 1 });

  await fields(page).nth(1).fill(email);
  await fields(page).nth(1).press('Enter');
  await expect(page.getByText("You're on the list!")).toBeVisible();
  await expect(page.getByRole('status')).toHaveCount(1);
  await expect(fields(page).first()).toBeVisible();
  expect(gate.seen.slice(before).filter(({ path }) => path === '/api/sessions')).toHaveLength(1);

  await page.keyboard.press('Control+Alt+KeyA');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  // After the first overlay is removed, the second one reacts to the shortcut.
  await page
    .locator('early-access-admin')
    .first()
    .evaluate((element) => element.remove());
  await page.keyboard.press('Control+Alt+KeyA');
  await expect(page.getByRole('dialog')).toHaveCount(1);
});

test('nothing is stored or sent before consent', { tag: '@main' }, async ({ page, put, gate, backend }) => {
  await page.goto(
    put('<early-access-tracker consent="asked"></early-access-tracker><early-access-form></early-access-form>'),
  );
  await expect(fields(page)).toBeVisible();
  const before = gate.seen.length;
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.locator('early-access-tracker').evaluate((tracker) => Object.assign(tracker, { consent: 'granted' }));
  await startedVisit(page, backend.database);
  expect(gate.seen.slice(before).map(({ path }) => path)).toEqual(['/api/sessions']);
});

test('toasts survive a host that replaces its whole body', async ({ page, put, email }) => {
  await page.goto(put('<early-access-form></early-access-form>'));
  await expect(fields(page)).toBeVisible();
  await page.evaluate(() => {
    document.body.innerHTML = '<early-access-form no-bot-guard></early-access-form>';
  });
  await fields(page).fill(email);
  await fields(page).press('Enter');
  await expect(page.getByRole('status')).toContainText('Thanks for signing up!');
});
