import type { Browser } from 'playwright';
import { bundle } from './bundle.ts';
import type { Tracker } from './trackers.ts';
import { VISITOR } from './visitor.ts';

/** What a tracker took of the page's main thread. */
export interface TrackerCost {
  /**
   * Processor time of the thread, not the time in which it waited: from evaluating the script, its compiling on this thread included, to the
   * last listener when the page is left, with what the browser does on the script's behalf (requests, storage, forced layouts).
   * The trace itself adds some 10 µs to each call.
   */
  readonly ms: number;
  /** How often it made the browser find styles or lay the page out in the middle of a script. */
  readonly forcedLayouts: number;
}

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Of `dur`, what the thread had of a processor: other programs do not lengthen it. */
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly url?: string } };
}

const LAYS_OUT = new Set(['UpdateLayoutTree', 'Layout']);

const SCRIPT = '/bench-tracker.js';

/**
 * Scrolls and clicks on the landing page for so long, in real time, twice a second. The page is the prerendered one with the tracker
 * as its only script, so that the browser's trace tells what of the time is the tracker's.
 */
export async function costOfTracker(
  browser: Browser,
  url: string,
  { page: file }: Tracker,
  seconds: number,
): Promise<TrackerCost> {
  const script = await bundle(file);
  const markup = (await (await fetch(url)).text()).replace(/<script\b[^>]*><\/script>/g, '');
  const page = await browser.newPage(VISITOR);
  try {
    await page.route(url, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: markup.replace('</head>', `<script defer src="${SCRIPT}"></script></head>`),
      }),
    );
    await page.route(`**${SCRIPT}`, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
    await browser.startTracing(page, { categories: ['devtools.timeline', 'v8'] });
    // A tracker that takes the browser for a bot would cost nothing: fails where none starts.
    const started = page.waitForRequest('**/api/sessions');
    await page.goto(url);
    await started;
    for (let step = 0; step < seconds * 2; step += 1) {
      if (step % 4 === 3) await page.mouse.click(195, 300);
      else await page.mouse.wheel(0, step % 40 < 20 ? 250 : -250);
      await page.waitForTimeout(500);
    }
    await page.goto('about:blank');
    const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
    return costIn(trace.traceEvents);
  } finally {
    await page.close();
  }
}

function costIn(events: readonly TraceEvent[]): TrackerCost {
  const ends = (event: TraceEvent) => event.ts + (event.dur ?? 0);
  const within = (event: TraceEvent, span: TraceEvent) =>
    event !== span && event.tid === span.tid && event.ts >= span.ts && ends(event) <= ends(span);
  const own = events.filter(
    ({ name, dur, args }) => dur !== undefined && args.data?.url?.endsWith(SCRIPT) && name !== 'v8.parseOnBackground',
  );
  const outermost = own.filter((event) => !own.some((span) => within(event, span)));
  if (outermost.length === 0) throw new Error('the trace knows nothing of the tracker');
  const forced = events.filter((event) => LAYS_OUT.has(event.name) && outermost.some((span) => within(event, span)));
  return {
    ms: outermost.reduce((sum, { dur = 0, tdur = dur }) => sum + tdur, 0) / 1_000,
    forcedLayouts: forced.length,
  };
}
