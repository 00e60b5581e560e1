// @vitest-environment jsdom
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it, vi } from 'vitest';
import { SESSION_EXPIRY_MS } from '../core/limits.ts';
import { mergeSession, toSessionRecord } from '../core/metrics.ts';
import type { SessionRecord } from '../core/records.ts';
import { parseSessionStart, parseSessionUpdate } from '../core/validation.ts';
import {
  cleanUp,
  comeBack,
  go,
  hide,
  leave,
  newDocument,
  recordingAdapter,
  scrollTo,
  show,
  sleep,
  track,
} from './page.fixture.ts';

/** An event of a page, with its duration. */
type Happening =
  | { what: 'wait' | 'sleep'; ms: number }
  | { what: 'hide' | 'show' | 'freeze' | 'thaw' | 'click' | 'remount' | 'reload' }
  | { what: 'scroll'; top: number }
  | { what: 'route'; path: string }
  | { what: 'spoil'; text: string };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('wait' as const), ms: fc.nat(60_000) }) },
  fc.record({ what: fc.constant('sleep' as const), ms: fc.integer({ min: 20_000, max: 2 * SESSION_EXPIRY_MS }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constantFrom('hide', 'show', 'freeze', 'thaw', 'click', 'remount', 'reload' as const),
    }),
  },
  fc.record({ what: fc.constant('scroll' as const), top: fc.integer({ min: -100, max: 5_000 }) }),
  fc.record({ what: fc.constant('route' as const), path: fc.constantFrom('/', '/prices', '/about') }),
  fc.record({ what: fc.constant('spoil' as const), text: fc.oneof(fc.json(), fc.string()) }),
);

/** Applies the events that are possible in the page's state. Returns how long the page was visible. */
function play(happenings: readonly Happening[], adapter: ReturnType<typeof recordingAdapter>): number {
  let visible = true;
  let frozen = false;
  let visibleMs = 0;
  let stop = track({ adapter });
  for (const event of happenings) {
    if (event.what === 'thaw' && frozen) {
      frozen = false;
      visible = true;
      comeBack();
    } else if (frozen) {
      // Nothing runs while a page is in the back/forward cache, but time passes.
      if ('ms' in event) sleep(event.ms);
    } else if (event.what === 'wait') {
      vi.advanceTimersByTime(event.ms);
      if (visible) visibleMs += event.ms;
    } else if (event.what === 'sleep') sleep(event.ms);
    else if (event.what === 'hide' && visible) {
      visible = false;
      hide();
    } else if (event.what === 'show' && !visible) {
      visible = true;
      show();
    } else if (event.what === 'freeze') {
      frozen = true;
      visible = false;
      leave({ persisted: true });
    } else if (event.what === 'click') document.body.click();
    else if (event.what === 'scroll') scrollTo(event.top);
    else if (event.what === 'spoil') localStorage.setItem('current_session', event.text);
    else if (event.what === 'route') {
      go(event.path);
      window.dispatchEvent(new PopStateEvent('popstate'));
    } else if (event.what === 'remount') {
      stop();
      stop = track({ adapter });
    } else if (event.what === 'reload') {
      leave();
      newDocument();
      show();
      visible = true;
      stop = track({ adapter });
    }
  }
  if (!frozen) leave();
  return visibleMs;
}

/** Returns the records that a store computes from the calls. */
function computeRecords({ starts, updates }: ReturnType<typeof recordingAdapter>): SessionRecord[] {
  const records = new Map(starts.map((start) => [start.id, toSessionRecord(start)]));
  for (const { id, update } of updates) {
    records.set(id, mergeSession(records.get(id) ?? toSessionRecord({ id, ...update }), update));
  }
  return [...records.values()];
}

it('for any sequence of page events, the reported totals are correct', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
      vi.useFakeTimers();
      const adapter = recordingAdapter();
      const visibleMs = play(happenings, adapter);

      for (const start of adapter.starts) expect(parseSessionStart(start)).toEqual(start);
      for (const { update } of adapter.updates) expect(parseSessionUpdate(update)).toEqual(update);

      const ids = new Set([...adapter.starts, ...adapter.updates].map(({ id }) => id));
      expect(adapter.starts.length).toBe(new Set(adapter.starts.map(({ id }) => id)).size);
      for (const id of ids) {
        const sent = adapter.updates.filter((update) => update.id === id).map(({ update }) => update);
        for (const field of ['page_count', 'total_duration', 'max_scroll_depth', 'click_count'] as const) {
          const values = sent.map((update) => update[field]);
          expect(values, field).toEqual([...values].sort((a, b) => a - b));
        }
      }

      const records = computeRecords(adapter);
      const seconds = records.reduce((sum, record) => sum + record.total_duration, 0);
      expect(seconds).toBeLessThanOrEqual(visibleMs / 1_000);
      const clicks = records.reduce((sum, record) => sum + record.click_count, 0);
      expect(clicks).toBeLessThanOrEqual(happenings.filter(({ what }) => what === 'click').length);
      for (const record of records) {
        expect(record.session_end ?? record.session_start).toBeGreaterThanOrEqual(record.session_start);
      }
      newDocument();
      expect(vi.getTimerCount()).toBe(0);
      cleanUp();
    }),
    { numRuns: 60 },
  );
});
