import { openLandingPage } from '../support/test.ts';
import { endedVisit, readStored, setVisibility, startedVisit } from '../support/visit.ts';
import { expect, test } from './support.ts';

const BROWSERS: Readonly<Record<string, string>> = { chromium: 'Chrome', firefox: 'Firefox', webkit: 'Safari' };

test('a session starts with its fields', { tag: '@short' }, async ({ page, backend: { database } }, { project }) => {
  await openLandingPage(page);
  const id = await startedVisit(page, database);
  expect(await database.session(id)).toMatchObject({
    visitor_id: expect.stringMatching(/^[0-9a-f]{8,}$/),
    session_start: expect.any(Number),
    session_end: null,
    page_count: 1,
    device_type: 'desktop',
    browser: BROWSERS[project.name],
    os: expect.stringMatching(/^(Windows|macOS|Linux)$/),
    is_returning_visitor: 0,
    total_sessions: 1,
    is_bounce: 1,
    landing_path: '/',
  });
  const keys = await page.evaluate(() => Object.keys(localStorage).sort());
  expect(keys).toEqual(['current_session', 'visitor_data']);
});

test('a hidden page sends its totals, and resumes when it is shown', async ({ page, backend: { database } }) => {
  await openLandingPage(page);
  const id = await startedVisit(page, database);
  await page.locator('h1').click();
  await setVisibility(page, 'hidden');
  expect(await endedVisit(id, database)).toMatchObject({ click_count: 1, page_count: 1 });
  await setVisibility(page, 'visible');
  await page.locator('h1').click();
  await setVisibility(page, 'hidden');
  await expect.poll(() => database.session(id)).toMatchObject({ click_count: 2, page_count: 1 });
});

test('a navigation sends the last totals', { tag: '@short' }, async ({ page, backend: { database } }) => {
  await openLandingPage(page);
  const id = await startedVisit(page, database);
  await page.locator('h1').click();
  await page.locator('h1').click();
  await page.goto('/robots.txt');
  expect(await endedVisit(id, database)).toMatchObject({ click_count: 2, page_count: 1, is_bounce: 1 });
  expect(await readStored(page, 'current_session')).toBeNull();
});

test('closing the page sends the last totals', async ({ page, backend: { database } }) => {
  await openLandingPage(page);
  const id = await startedVisit(page, database);
  await page.locator('h1').click();
  await page.close({ runBeforeUnload: true });
  expect(await endedVisit(id, database)).toMatchObject({ click_count: 1, page_count: 1 });
});
