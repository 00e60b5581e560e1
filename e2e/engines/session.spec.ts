import type { Backend } from '../support/backend.ts';
import { endedVisit } from '../support/visit.ts';
import type { Tab } from './support/engine.ts';
import { click, expect, openLandingPage, see, test } from './support/test.ts';

/** Returns the session that the tracker stored in the browser. */
async function storedSession(tab: Pick<Tab, 'evaluate'>): Promise<{ sessionId?: string; pageViews?: number } | null> {
  return JSON.parse(String(await tab.evaluate(() => localStorage.getItem('current_session'))));
}

/** Returns the id of the page's session once its start is in the database. */
async function startedSession(tab: Pick<Tab, 'evaluate'>, { database }: Backend): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      id = String((await storedSession(tab))?.sessionId);
      return database.session(id);
    })
    .toBeDefined();
  return id;
}

test('a session starts with its fields', { tag: '@short' }, async ({ tab, gate, backend }, { project }) => {
  await openLandingPage(tab, gate);
  const id = await startedSession(tab, backend);
  expect(await backend.database.session(id)).toMatchObject({
    visitor_id: expect.stringMatching(/^[0-9a-f]{8,}$/),
    session_start: expect.any(Number),
    session_end: null,
    page_count: 1,
    device_type: 'desktop',
    // Only Apple's WebKit is Safari.
    browser: { Chromium: 'Chrome', WebKit: 'Unknown' }[project.name] ?? project.name,
    os: expect.stringMatching(/^(Windows|macOS|Linux)$/),
    is_returning_visitor: 0,
    total_sessions: 1,
    is_bounce: 1,
    landing_path: '/',
  });
  const keys = await tab.evaluate(() => Object.keys(localStorage).sort());
  expect(keys).toEqual(['current_session', 'visitor_data']);
});

test('a hidden tab sends its totals, and continues when it is shown', async ({ tab, gate, backend, noteFinding }) => {
  noteFinding(`works, hidden by ${tab.hiddenBy}`);
  await openLandingPage(tab, gate);
  const id = await startedSession(tab, backend);
  await click(tab, 'h1');
  await tab.hide();
  expect(await endedVisit(id, backend.database)).toMatchObject({ click_count: 1, page_count: 1 });
  await tab.show();
  await click(tab, 'h1');
  await tab.hide();
  await expect.poll(() => backend.database.session(id)).toMatchObject({ click_count: 2, page_count: 1 });
});

test('a navigation sends the last totals', { tag: '@short' }, async ({ tab, gate, backend }) => {
  await openLandingPage(tab, gate);
  const id = await startedSession(tab, backend);
  await click(tab, 'h1');
  await click(tab, 'h1');
  await tab.open(`${gate.origin}/robots.txt`);
  expect(await endedVisit(id, backend.database)).toMatchObject({ click_count: 2, page_count: 1, is_bounce: 1 });
  expect(await storedSession(tab)).toBeNull();
});

test('closing the tab sends the last totals', async ({ newTab, gate, backend }) => {
  const tab = await newTab();
  await openLandingPage(tab, gate);
  const id = await startedSession(tab, backend);
  await click(tab, 'h1');
  await tab.close();
  expect(await endedVisit(id, backend.database)).toMatchObject({ click_count: 1, page_count: 1 });
});

test('a page from the back/forward cache resumes its session', async ({ newTab, gate, backend }) => {
  const tab = await newTab();
  await openLandingPage(tab, gate);
  const id = await startedSession(tab, backend);
  await tab.evaluate(() => Object.assign(window, { before: 'still here' }).before);
  // A page with the same Cross-Origin-Opener-Policy. After one without it WebKitGTK 2.50 restores a page whose scripts no longer run.
  await tab.open(`${gate.origin}/elsewhere`);
  await endedVisit(id, backend.database);
  await tab.evaluate(() => history.back());
  await see(tab, 'form.eak-form[novalidate]');
  // The same page, not a reload.
  expect(await tab.evaluate(() => Reflect.get(window, 'before'))).toBe('still here');
  await expect.poll(() => backend.database.session(id)).toMatchObject({ page_count: 2, is_bounce: 0 });
  expect(await storedSession(tab)).toMatchObject({ sessionId: id, pageViews: 2 });
});
