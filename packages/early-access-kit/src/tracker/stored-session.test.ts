// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../core/time.ts';
import { comeBack, go, leave, recordingAdapter, scrollTo, stored, track } from './page.fixture.ts';

const NOW = Date.UTC(2025, 5, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});

const session = (fields: object = {}) => ({
  sessionId: 'session-0001',
  visitorId: 'visitor-0001',
  startTime: NOW - MINUTE_MS,
  pageViews: 1,
  isReturningVisitor: true,
  lastVisit: NOW - MINUTE_MS,
  totalSessions: 4,
  ...fields,
});

describe('a stored session', () => {
  function load(value: unknown) {
    localStorage.setItem('current_session', typeof value === 'string' ? value : JSON.stringify(value));
    const adapter = recordingAdapter();
    track({ adapter });
    return adapter;
  }

  it.each([
    ['a minute', MINUTE_MS],
    ['exactly 30 minutes', 30 * MINUTE_MS],
  ])('%s old is resumed with one more page view', (_, age) => {
    const adapter = load(session({ startTime: NOW - age }));
    expect(adapter.starts).toEqual([]);
    expect(adapter.updates).toMatchObject([
      {
        id: 'session-0001',
        update: {
          visitor_id: 'visitor-0001',
          session_start: NOW - age,
          session_end: null,
          page_count: 2,
          total_sessions: 4,
          is_returning_visitor: true,
        },
        final: false,
      },
    ]);
    expect(stored('current_session')).toEqual(session({ startTime: NOW - age, pageViews: 2 }));
  });

  it.each([
    ['is older than 30 minutes', session({ startTime: NOW - 30 * MINUTE_MS - 1 })],
    ['starts in the future', session({ startTime: NOW + 1 })],
    ['is not JSON', '{"sessionId":'],
    ['is null', null],
    ['is a number', 7],
    ['is an array', []],
    ['has an id that stores reject', session({ sessionId: 'a/../b?c=d' })],
    ['has an array as its id', session({ sessionId: ['session-0001'] })],
    ['has no visitor', session({ visitorId: undefined })],
    ['has a string as its time', session({ startTime: String(NOW) })],
    ['has half a page view', session({ pageViews: 1.5 })],
    ['has no page views', session({ pageViews: 0 })],
    ['has an absurd number of page views', session({ pageViews: 1e300 })],
  ])('that %s is discarded', (_, value) => {
    const adapter = load(value);
    expect(adapter.updates).toEqual([]);
    expect(adapter.starts).toHaveLength(1);
    expect(stored('current_session')).toMatchObject({ sessionId: adapter.starts[0]?.id, pageViews: 1 });
  });

  it('is not changed by a page that is not closed', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(45 * MINUTE_MS);
    go('/prices');
    window.dispatchEvent(new PopStateEvent('popstate'));
    expect(adapter.starts).toHaveLength(1);
    expect(adapter.updates.at(-1)).toMatchObject({
      id: adapter.starts[0]?.id,
      update: { page_count: 2, total_duration: 2_700 },
    });
  });
});

describe('storage', () => {
  it('that is empty, as for every new visitor, causes no exception', () => {
    const parse = vi.spyOn(JSON, 'parse');
    track({ adapter: recordingAdapter() });
    expect(new Set(parse.mock.results.map(({ type }) => type))).toEqual(new Set(['return']));
  });

  it.each(['get', 'set', 'deleteProperty'] as const)('that fails to %s is replaced by memory', (action) => {
    const fail = vi.fn(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    vi.spyOn(window, 'localStorage', 'get').mockReturnValue(new Proxy(localStorage, { [action]: fail }));
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(6_000);
    go('/prices');
    window.dispatchEvent(new PopStateEvent('popstate'));
    leave({ persisted: true });
    vi.advanceTimersByTime(31 * MINUTE_MS);
    comeBack();
    expect(adapter.starts.map((start) => [start.total_sessions, start.is_returning_visitor])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(adapter.starts[1]?.visitor_id).toBe(adapter.starts[0]?.visitor_id);
    expect(adapter.updates.map(({ update }) => update.page_count)).toEqual([2, 2]);
    expect(fail).toHaveBeenCalled();
  });

  it('that cannot even be accessed is replaced by memory', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const adapter = recordingAdapter();
    track({ adapter });
    leave();
    expect([adapter.starts.length, adapter.updates.length]).toEqual([1, 1]);
  });

  it('is not written to by ticks, clicks and scrolling, and nothing is sent', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    const access = vi.spyOn(window, 'localStorage', 'get');
    vi.advanceTimersByTime(10 * MINUTE_MS);
    document.body.click();
    scrollTo(10);
    expect(access).not.toHaveBeenCalled();
    expect(adapter.updates).toEqual([]);
  });
});
