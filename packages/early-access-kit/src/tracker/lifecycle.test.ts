// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../core/time.ts';
import { comeBack, hide, leave, recordingAdapter, show, sleep, stored, track } from './page.fixture.ts';

const NOW = Date.UTC(2025, 5, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});

describe('a page that is hidden', () => {
  it('sends all totals once, and resumes the session', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(7_000);
    hide();
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(adapter.updates).toMatchObject([{ final: true, update: { session_end: NOW + 7_000, total_duration: 7 } }]);
    expect(stored('current_session')).not.toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts the time during which it is visible again', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(7_000);
    hide();
    vi.advanceTimersByTime(MINUTE_MS);
    show();
    vi.advanceTimersByTime(8_000);
    leave();
    expect(adapter.updates.map(({ update }) => update.total_duration)).toEqual([7, 15]);
  });

  it('counts nothing before it is first visible', () => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(MINUTE_MS);
    show();
    vi.advanceTimersByTime(3_000);
    leave();
    expect(adapter.updates).toMatchObject([{ update: { total_duration: 3 } }]);
  });

  it('sends one more update when it is left, without additional time', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(3_000);
    hide();
    vi.advanceTimersByTime(MINUTE_MS);
    leave();
    expect(adapter.updates.map(({ update }) => update.total_duration)).toEqual([3, 3]);
  });
});

it('sleep does not count, neither before nor after a tick', () => {
  const adapter = recordingAdapter();
  track({ adapter });
  vi.advanceTimersByTime(20_000);
  sleep(8 * 60 * MINUTE_MS);
  vi.advanceTimersByTime(10_000);
  sleep(8 * 60 * MINUTE_MS);
  leave();
  // The tick during which the machine went to sleep does not count.
  expect(adapter.updates).toMatchObject([{ update: { total_duration: 25 } }]);
});

it('setting the clock does not change the duration', () => {
  const adapter = recordingAdapter();
  track({ adapter });
  vi.advanceTimersByTime(4_000);
  vi.setSystemTime(NOW - 24 * 60 * MINUTE_MS);
  vi.advanceTimersByTime(4_000);
  leave();
  expect(adapter.updates).toMatchObject([{ update: { total_duration: 8 } }]);
});

describe('a return from the back/forward cache', () => {
  it('resumes the session and counts a page view', () => {
    const adapter = recordingAdapter();
    const onSession = vi.fn();
    track({ adapter, onSession });
    vi.advanceTimersByTime(5_000);
    leave({ persisted: true });
    vi.advanceTimersByTime(MINUTE_MS);
    comeBack();
    expect(stored('current_session')).toMatchObject({ sessionId: adapter.starts[0]?.id, pageViews: 2 });
    vi.advanceTimersByTime(5_000);
    leave();
    expect(adapter.starts).toHaveLength(1);
    expect(adapter.updates.map(({ update }) => [update.page_count, update.total_duration])).toEqual([
      [1, 5],
      [2, 5],
      [2, 10],
    ]);
    expect(new Set(onSession.mock.calls.flat())).toEqual(new Set([adapter.starts[0]?.id]));
  });

  it('starts a new session after the limit, from zero', () => {
    const adapter = recordingAdapter();
    const onSession = vi.fn();
    track({ adapter, onSession });
    vi.advanceTimersByTime(5_000);
    document.body.click();
    leave({ persisted: true });
    vi.advanceTimersByTime(31 * MINUTE_MS);
    comeBack();
    vi.advanceTimersByTime(2_000);
    leave();
    expect(adapter.starts.map((start) => start.total_sessions)).toEqual([1, 2]);
    expect(onSession).toHaveBeenLastCalledWith(adapter.starts[1]?.id);
    expect(adapter.updates.at(-1)).toMatchObject({
      id: adapter.starts[1]?.id,
      update: { page_count: 1, total_duration: 2, click_count: 0 },
    });
  });

  it('after the limit, joins a session that another tab has stored since', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    leave({ persisted: true });
    vi.advanceTimersByTime(31 * MINUTE_MS);
    const other = { sessionId: 'session-0002', visitorId: 'visitor-0002', startTime: Date.now(), pageViews: 3 };
    const session = { ...other, isReturningVisitor: true, lastVisit: Date.now(), totalSessions: 2 };
    localStorage.setItem('current_session', JSON.stringify(session));
    comeBack();
    expect(adapter.starts).toHaveLength(1);
    expect(adapter.updates.at(-1)).toMatchObject({ id: 'session-0002', update: { page_count: 4 } });
  });

  it('within the limit, resumes its own session without changing one stored since', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    leave({ persisted: true });
    vi.advanceTimersByTime(MINUTE_MS);
    const other = { sessionId: 'session-0002', visitorId: 'visitor-0002', startTime: Date.now(), pageViews: 3 };
    const session = { ...other, isReturningVisitor: true, lastVisit: Date.now(), totalSessions: 2 };
    localStorage.setItem('current_session', JSON.stringify(session));
    comeBack();
    leave();
    expect(adapter.updates.map(({ id, update }) => [id, update.page_count])).toEqual([
      [adapter.starts[0]?.id, 1],
      [adapter.starts[0]?.id, 2],
      [adapter.starts[0]?.id, 2],
    ]);
    expect(stored('current_session')).toEqual(session);
  });

  it('is not confused with the first display of a page', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
    expect(adapter.updates).toEqual([]);
  });
});
