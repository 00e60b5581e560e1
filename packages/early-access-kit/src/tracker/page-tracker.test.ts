// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../core/time.ts';
import { parseSessionStart } from '../core/validation.ts';
import { go, hide, leave, newDocument, recordingAdapter, stored, track } from './page.fixture.ts';

const NOW = Date.UTC(2025, 5, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});

describe('the start of a session', () => {
  it('does not land on a later page of its visit, whose path and campaign are others', () => {
    track({ adapter: recordingAdapter(), endSession: 'idle' });
    newDocument();
    history.replaceState(null, '', '/pricing?utm_source=footer');
    const adapter = recordingAdapter();
    track({ adapter, endSession: 'idle' });
    leave();
    expect(adapter.starts).toEqual([]);
    expect(adapter.updates.map(({ update }) => update.page_path)).toEqual(['/pricing', '/pricing']);
    for (const { update } of adapter.updates) {
      expect(update).not.toHaveProperty('landing_path');
      expect(update).not.toHaveProperty('utm_source');
    }
  });

  it('sends the path and campaign of its first page with every update, even after a route change', () => {
    history.replaceState(null, '', `/join/${'x'.repeat(2_000)}?utm_source=news&utm_term=%00prints&token=secret`);
    const adapter = recordingAdapter();
    track({ adapter });
    go('/about?utm_source=other&utm_medium=email');
    leave();
    const landing = { landing_path: `/join/${'x'.repeat(1_018)}`, utm_source: 'news', utm_term: 'prints' };
    const updates = adapter.updates.map(({ update }) => update);
    expect(updates).toHaveLength(2);
    for (const sent of [...adapter.starts, ...updates]) {
      expect(sent).toMatchObject(landing);
      expect(sent).not.toHaveProperty('utm_medium');
    }
    expect(parseSessionStart(adapter.starts[0])).toEqual(adapter.starts[0]);
  });

  it('ignores the site itself as referrer, and truncates long values', () => {
    const adapter = recordingAdapter();
    vi.spyOn(document, 'referrer', 'get').mockReturnValue(`${location.origin}/about`);
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('x'.repeat(3_000));
    track({ adapter });
    expect(adapter.starts[0]).toMatchObject({ referrer: null, user_agent: 'x'.repeat(1_024) });
  });

  it.each([
    ['keeps the id of a stored visitor', { visitorId: 'visitor-0001', lastVisit: 1, totalSessions: 7 }, 8],
    ['treats a stored visitor without a valid id as new', { visitorId: '<script>', totalSessions: 7 }, 1],
    ['treats a stored visitor with a reserved id as new', { visitorId: '__hash__', totalSessions: 7 }, 1],
    ['treats a stored visitor with an absurd count as new', { visitorId: 'visitor-0001', totalSessions: 1e9 }, 1],
  ])('%s', (_, visitor, totalSessions) => {
    localStorage.setItem('visitor_data', JSON.stringify(visitor));
    const adapter = recordingAdapter();
    track({ adapter });
    const known = totalSessions > 1;
    expect(adapter.starts[0]).toMatchObject({ is_returning_visitor: known, total_sessions: totalSessions });
    expect(adapter.starts[0]?.visitor_id === 'visitor-0001').toBe(known);
  });
});

describe('the end of a session', () => {
  it('does not touch another stored session', () => {
    track({ adapter: recordingAdapter() });
    localStorage.setItem('current_session', '{"sessionId":"session-of-another-visit"}');
    leave();
    expect(stored('current_session')).toEqual({ sessionId: 'session-of-another-visit' });
  });

  it('includes the start fields, so that a failed start is repaired', () => {
    const adapter = recordingAdapter(new Error('offline'));
    track({ adapter });
    leave();
    const { id, ...startFields } = adapter.starts[0] ?? {};
    expect(adapter.updates).toMatchObject([{ id, update: startFields }]);
  });

  it('with endSession "idle" the session stays for the next page', () => {
    const adapter = recordingAdapter();
    track({ adapter, endSession: 'idle' });
    leave();
    newDocument();
    track({ adapter, endSession: 'idle' });
    expect(adapter.starts).toHaveLength(1);
    expect(adapter.updates.at(-1)).toMatchObject({ id: adapter.starts[0]?.id, update: { page_count: 2 } });
  });
});

describe('stopping', () => {
  it('sends the end, and removes the stored session and every listener and timer', () => {
    const adapter = recordingAdapter();
    const onSession = vi.fn();
    const stop = track({ adapter, onSession });
    vi.advanceTimersByTime(3_000);
    stop();
    stop();
    expect(adapter.updates).toMatchObject([{ final: true, update: { total_duration: 3, session_end: NOW + 3_000 } }]);
    expect(onSession.mock.calls).toEqual([[adapter.starts[0]?.id], [null]]);
    expect(stored('current_session')).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
    document.body.click();
    go('/elsewhere');
    window.dispatchEvent(new PopStateEvent('popstate'));
    hide();
    leave();
    vi.advanceTimersByTime(MINUTE_MS);
    expect(adapter.updates).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('removes every listener', () => {
    const watched = [window, document].map((target) => ({
      add: vi.spyOn(target, 'addEventListener'),
      remove: vi.spyOn(target, 'removeEventListener'),
    }));
    track({ adapter: recordingAdapter() })();
    const added = watched.flatMap(({ add }) => add.mock.calls);
    expect(added.map(([type]) => type).sort()).toEqual(
      ['click', 'pagehide', 'pageshow', 'popstate', 'scroll', 'storage', 'visibilitychange'].sort(),
    );
    for (const [type, , options] of added) {
      expect(options, type).toMatchObject({ signal: expect.objectContaining({ aborted: true }) });
    }
  });

  it('after the page was left sends nothing twice', () => {
    const adapter = recordingAdapter();
    const stop = track({ adapter });
    leave();
    stop();
    expect(adapter.updates).toHaveLength(1);
  });
});

it.each([
  ['rejects', recordingAdapter(new Error('down'))],
  [
    'throws at once',
    {
      startSession() {
        throw new Error('broken');
      },
      updateSession() {
        throw new Error('broken');
      },
    },
  ],
])('errors of an adapter that %s are ignored', async (_, adapter) => {
  const onSession = vi.fn();
  const stop = track({ adapter, onSession });
  hide();
  leave();
  stop();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(onSession.mock.calls).toEqual([[expect.any(String)], [null]]);
});
