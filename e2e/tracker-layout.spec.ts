import { expect, openLandingPage, test } from './support/test.ts';
import { endedVisit, startedVisit } from './support/visit.ts';

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args: { readonly data?: { readonly type?: string } };
}

const LAYS_OUT = new Set(['UpdateLayoutTree', 'Layout']);

test('the tracker forces no layout while scrolling or when the page is left', {
  tag: '@self-hosted',
}, async ({ page, browser, backend: { database } }) => {
  // Runs before the tracker's listeners and invalidates the layout, so that reading a height after it would force one.
  await page.addInitScript(() => {
    const spoil = () => document.body.style.setProperty('padding-bottom', `${performance.now() % 2}px`);
    for (const type of ['scroll', 'pagehide', 'visibilitychange']) addEventListener(type, spoil, { capture: true });
  });
  await openLandingPage(page);
  const id = await startedVisit(page, database);
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await expect(page.getByRole('contentinfo')).toBeInViewport();
  await page.goto('/robots.txt');
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const dispatched = traceEvents.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type !== undefined);
  const ofTracker = dispatched.filter(({ args }) => /^(scroll|pagehide|visibilitychange)$/.test(args.data?.type ?? ''));
  expect(new Set(ofTracker.map(({ args }) => args.data?.type))).toEqual(
    new Set(['scroll', 'pagehide', 'visibilitychange']),
  );
  const forced = traceEvents.filter(
    ({ name, tid, ts }) =>
      LAYS_OUT.has(name) &&
      ofTracker.some((event) => event.tid === tid && event.ts <= ts && ts <= event.ts + (event.dur ?? 0)),
  );
  expect(forced.map(({ name }) => name)).toEqual([]);
  expect((await endedVisit(id, database)).max_scroll_depth).toBe(100);
});
