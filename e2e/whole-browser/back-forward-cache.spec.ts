import { expect, openLandingPage, test } from '../support/test.ts';
import { endedVisit, readStored, startedVisit } from '../support/visit.ts';
import { inBrowserWithCache } from '../support/whole-browser.ts';

test.use({ expectedComplaints: [/404/], ...inBrowserWithCache });

test('a page restored from the cache resumes its session and counts a page view', async ({
  page,
  backend: { database },
}) => {
  await openLandingPage(page);
  const id = await startedVisit(page, database);
  const first = await readStored(page, 'current_session');
  await page.evaluate(() => Object.assign(window, { before: 'still here' }));
  await page.goto('/elsewhere');
  await endedVisit(id, database);
  expect(await readStored(page, 'current_session')).toBeNull();

  await page.evaluate(() => history.back());
  await expect(page).toHaveURL('/');
  const reasons = () => Reflect.get(performance.getEntriesByType('navigation')[0] ?? {}, 'notRestoredReasons');
  expect(await page.evaluate(reasons), 'why the browser loaded the page again').toBeNull();
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'before'))).toBe('still here');
  await expect.poll(() => database.session(id)).toMatchObject({ page_count: 2, is_bounce: 0, total_sessions: 1 });
  expect(await readStored(page, 'current_session')).toEqual({ ...first, pageViews: 2 });
  expect(await readStored(page, 'visitor_data')).toMatchObject({ totalSessions: 1 });
});
