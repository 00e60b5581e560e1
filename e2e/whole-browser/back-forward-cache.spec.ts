import { expect, openLandingPage, test } from '../support/test.ts';
import { endedVisit, readStored, startedVisit } from '../support/visit.ts';
import { inBrowserWithCache } from '../support/whole-browser.ts';

test.use({ expectedComplaints: [/404/], ...inBrowserWithCache });

test('a page restored from the cache resumes its session and counts a page view', async ({
  page,
  backend: { database },
}) => {
  // The page itself may only get a "masked" reason.
  const driver = await page.context().newCDPSession(page);
  const evictions: { type: string; reason: string }[] = [];
  driver.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    evictions.push(...notRestoredExplanations.map(({ type, reason }) => ({ type, reason }))),
  );
  await driver.send('Page.enable');

  const leaveAndReturn = async () => {
    await openLandingPage(page);
    const id = await startedVisit(page, database);
    const session = await readStored(page, 'current_session');
    const visitor = await readStored(page, 'visitor_data');
    await page.evaluate(() => Object.assign(window, { before: 'still here' }));
    await page.goto('/elsewhere');
    await endedVisit(id, database);
    expect(await readStored(page, 'current_session')).toBeNull();

    await page.evaluate(() => history.back());
    await expect(page).toHaveURL('/');
    await expect(page.locator('h1')).toBeVisible();
    const restored = await page.evaluate(() => Reflect.get(window, 'before') === 'still here');
    return { id, session, visitor, restored };
  };

  let visit = await leaveAndReturn();
  while (!visit.restored) {
    // "Circumstantial": Chromium may evict any page for its own reasons. All other reasons are the page's fault.
    expect(evictions).not.toEqual([]);
    expect(evictions.filter(({ type }) => type !== 'Circumstantial')).toEqual([]);
    visit = await leaveAndReturn();
  }
  const { id, session, visitor } = visit;
  await expect
    .poll(() => database.session(id))
    .toMatchObject({ page_count: 2, is_bounce: 0, total_sessions: visitor?.totalSessions });
  expect(await readStored(page, 'current_session')).toEqual({ ...session, pageViews: 2 });
  expect(await readStored(page, 'visitor_data')).toMatchObject({ totalSessions: visitor?.totalSessions });
});
