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
  // The page itself may only see a "masked" reason.
  const driver = await page.context().newCDPSession(page);
  const reasons: string[] = [];
  driver.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
  );
  await driver.send('Page.enable');
  await page.goto('/elsewhere');
  await endedVisit(id, database);
  expect(await readStored(page, 'current_session')).toBeNull();

  await page.evaluate(() => history.back());
  await expect(page).toHaveURL('/');
  expect(reasons, 'why the browser loaded the page again').toEqual([]);
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'before'))).toBe('still here');
  await expect.poll(() => database.session(id)).toMatchObject({ page_count: 2, is_bounce: 0, total_sessions: 1 });
  expect(await readStored(page, 'current_session')).toEqual({ ...first, pageViews: 2 });
  expect(await readStored(page, 'visitor_data')).toMatchObject({ totalSessions: 1 });
});
