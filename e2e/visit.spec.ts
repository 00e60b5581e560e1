import { expect, openLandingPage, test } from './support/test.ts';
import { endedVisit, readStored, startedVisit } from './support/visit.ts';

test('a session starts with all known fields', { tag: '@main' }, async ({ page, backend }) => {
  const before = Date.now();
  await page.goto('/', { referer: 'https://search.example/results' });
  const id = await startedVisit(page, backend.database);
  // Columns that SQLite adds for the dashboard's figures.
  const added = ['traffic_source_id', 'previous_start', 'page_views', 'country'];
  const stored = Object.entries((await backend.database.session(id)) ?? {});
  expect(Object.fromEntries(stored.filter(([name]) => !added.includes(name)))).toEqual({
    id,
    visitor_id: expect.stringMatching(/^[0-9a-f]{8,}$/),
    session_start: expect.any(Number),
    session_end: null,
    page_count: 1,
    total_duration: 0,
    referrer: expect.stringContaining('https://search.example/'),
    user_agent: await page.evaluate(() => navigator.userAgent),
    device_type: 'desktop',
    browser: 'Chrome',
    os: expect.stringMatching(/^(Windows|macOS|Linux)$/),
    is_returning_visitor: 0,
    total_sessions: 1,
    max_scroll_depth: 0,
    click_count: 0,
    is_bounce: 1,
    landing_path: '/',
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_term: null,
    utm_content: null,
  });
  expect(Number((await backend.database.session(id))?.session_start)).toBeGreaterThanOrEqual(before);
});

test('the browser stores the three keys with their fields and nothing else', { tag: '@main' }, async ({
  page,
  backend,
}) => {
  await openLandingPage(page);
  const id = await startedVisit(page, backend.database);
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(['current_session', 'visitor_data']);
  const visitor = await readStored(page, 'visitor_data');
  const session = await readStored(page, 'current_session');
  const visitorId = (await backend.database.session(id))?.visitor_id;
  expect(visitor).toEqual({ visitorId, lastVisit: expect.any(Number), totalSessions: 1 });
  expect(session).toEqual({
    sessionId: id,
    visitorId,
    startTime: (await backend.database.session(id))?.session_start,
    pageViews: 1,
    isReturningVisitor: false,
    lastVisit: visitor?.lastVisit,
    totalSessions: 1,
  });
  expect(await page.context().cookies()).toEqual([]);
});

test.describe('leaving', () => {
  test.use({ expectedComplaints: [/404/] });

  test('by a link sends the totals and removes the stored session', { tag: '@main' }, async ({ page, backend }) => {
    await openLandingPage(page);
    const id = await startedVisit(page, backend.database);
    await page.getByText('Privacy, in short').click();
    await page.getByText('Privacy, in short').click();
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await expect(page.getByRole('contentinfo')).toBeInViewport();
    await page.goto('/elsewhere');
    expect(await endedVisit(id, backend.database)).toMatchObject({
      page_count: 1,
      is_bounce: 1,
      click_count: 2,
      max_scroll_depth: 100,
    });
    expect(await readStored(page, 'current_session')).toBeNull();
    expect(await readStored(page, 'visitor_data')).toMatchObject({ totalSessions: 1 });
  });
});

test('two tabs share one session, which continues until both are closed', async ({ context, backend }) => {
  const first = await context.newPage();
  await openLandingPage(first);
  const id = await startedVisit(first, backend.database);
  const second = await context.newPage();
  await openLandingPage(second);
  await expect.poll(() => backend.database.session(id)).toMatchObject({ page_count: 2, is_bounce: 0 });
  expect(await readStored(second, 'current_session')).toMatchObject({ sessionId: id, pageViews: 2 });

  await first.close({ runBeforeUnload: true });
  await endedVisit(id, backend.database);
  // The remaining tab stores the session again.
  await expect.poll(() => readStored(second, 'current_session')).toMatchObject({ sessionId: id });
  const third = await context.newPage();
  await openLandingPage(third);
  await expect.poll(async () => (await backend.database.session(id))?.page_count).toBe(3);
  const visitor = String((await backend.database.session(id))?.visitor_id);
  expect(await readStored(third, 'visitor_data')).toMatchObject({ visitorId: visitor, totalSessions: 1 });
});

test('a returning visitor has one more session', { tag: '@main' }, async ({ page, backend }) => {
  await openLandingPage(page);
  const first = await startedVisit(page, backend.database);
  await page.reload();
  await expect.poll(async () => (await readStored(page, 'current_session'))?.totalSessions).toBe(2);
  const second = await startedVisit(page, backend.database);
  expect(second).not.toBe(first);
  expect(await backend.database.session(second)).toMatchObject({
    visitor_id: (await backend.database.session(first))?.visitor_id ?? '',
    is_returning_visitor: 1,
    total_sessions: 2,
    page_count: 1,
  });
  expect(await readStored(page, 'visitor_data')).toMatchObject({ totalSessions: 2 });
});
