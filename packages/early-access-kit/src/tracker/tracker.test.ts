// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leave, recordingAdapter, stored, track } from './page.fixture.ts';
import { startTracker, type TrackerOptions } from './tracker.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** Lets settled promises run their callbacks. */
const settled = () => vi.advanceTimersByTimeAsync(0);

/** Returns a consent promise that `agree` fulfills. */
function question() {
  let agree = () => {};
  const promise = new Promise<boolean>((resolve) => {
    agree = () => resolve(true);
  });
  return { promise, agree };
}

/** Expects that nothing was stored or sent. */
function expectNoTrace(adapter: ReturnType<typeof recordingAdapter>) {
  leave();
  expect([...adapter.starts, ...adapter.updates]).toEqual([]);
  expect(localStorage).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
}

describe('the admin’s own browser', () => {
  it.each([
    ['the overlay is unlocked', { adminEmail: 'admin@example.org' }],
    ['the dashboard was opened', { own_visits: 'ignored' }],
  ])('is not tracked if %s', async (_, items: Record<string, string>) => {
    const adapter = recordingAdapter();
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
    track({ adapter });
    await settled();
    for (const key of Object.keys(items)) localStorage.removeItem(key);
    expectNoTrace(adapter);
  });

  it('is tracked if the admin chose so', async () => {
    localStorage.setItem('adminEmail', 'admin@example.org');
    localStorage.setItem('own_visits', '');
    const chosen = recordingAdapter();
    track({ adapter: chosen });
    await settled();
    expect(chosen.starts).toHaveLength(1);
  });
});

describe('consent', () => {
  it.each([
    ['refused', async () => false],
    ['lost', () => Promise.reject(new Error('dialog closed'))],
    ['never given', () => new Promise<boolean>(() => {})],
  ])('that is requested and %s tracks nothing', async (_, request) => {
    const adapter = recordingAdapter();
    track({ adapter, consent: request() });
    await settled();
    expectNoTrace(adapter);
  });

  it('that is given later starts the session then, without reading or storing anything before', async () => {
    const access = vi.spyOn(window, 'localStorage', 'get');
    const resolution = vi.spyOn(screen, 'width', 'get');
    const consent = question();
    const adapter = recordingAdapter();
    const onSession = vi.fn();
    track({ adapter, consent: consent.promise, onSession });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(access).not.toHaveBeenCalled();
    expect(resolution).not.toHaveBeenCalled();
    consent.agree();
    await settled();
    expect(adapter.starts).toMatchObject([{ session_start: Date.now() }]);
    expect(onSession.mock.calls).toEqual([[adapter.starts[0]?.id]]);
  });

  it('that is given after stopping starts nothing', async () => {
    const consent = question();
    const adapter = recordingAdapter();
    track({ adapter, consent: consent.promise })();
    consent.agree();
    await settled();
    expectNoTrace(adapter);
  });
});

describe('a browser that is not tracked', () => {
  const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  const cases: [string, object, Partial<TrackerOptions>][] = [
    ['sends Global Privacy Control', { globalPrivacyControl: true }, { ignoreGpc: true }],
    ['is automated', { webdriver: true }, { allowBots: true }],
    ['is a crawler', { userAgent: googlebot }, { allowBots: true }],
  ];
  const person = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

  it.each(cases)('because it %s starts no session', (_, traits) => {
    vi.stubGlobal('navigator', { ...person, ...traits });
    const adapter = recordingAdapter();
    track({ adapter, allowBots: false });
    expectNoTrace(adapter);
  });

  it.each(cases)('because it %s is tracked if the host allows it', (_, traits, options) => {
    vi.stubGlobal('navigator', { ...person, ...traits });
    const adapter = recordingAdapter();
    track({ adapter, allowBots: false, ...options });
    expect(adapter.starts).toHaveLength(1);
  });
});

describe('a prerendered page', () => {
  beforeEach(() => {
    Object.defineProperty(document, 'prerendering', { value: true, configurable: true, writable: true });
  });
  afterEach(() => {
    Reflect.deleteProperty(document, 'prerendering');
  });

  function activate() {
    Reflect.set(document, 'prerendering', false);
    document.dispatchEvent(new Event('prerenderingchange'));
  }

  it('starts no session before it is shown', () => {
    const adapter = recordingAdapter();
    track({ adapter });
    vi.advanceTimersByTime(60_000);
    expect(adapter.starts).toEqual([]);
    expect(localStorage).toHaveLength(0);
    activate();
    expect(adapter.starts).toMatchObject([{ session_start: Date.now() }]);
  });

  it('starts no session if tracking was stopped before', () => {
    const adapter = recordingAdapter();
    track({ adapter })();
    activate();
    expectNoTrace(adapter);
  });
});

describe('several trackers on one page', () => {
  it('share one session, which ends with the last one', () => {
    const adapter = recordingAdapter();
    const [first, second] = [vi.fn(), vi.fn()];
    const stopFirst = track({ adapter, onSession: first });
    const stopSecond = track({ adapter, onSession: second });
    expect(adapter.starts).toHaveLength(1);
    expect(second.mock.calls).toEqual(first.mock.calls);
    stopFirst();
    stopFirst();
    vi.advanceTimersByTime(4_000);
    expect(adapter.updates).toEqual([]);
    expect(stored('current_session')).toMatchObject({ sessionId: adapter.starts[0]?.id });
    stopSecond();
    expect(adapter.updates).toMatchObject([{ final: true, update: { page_count: 1, total_duration: 4 } }]);
    expect(second).toHaveBeenLastCalledWith(null);
  });

  it('count separately even if they receive the same options object', () => {
    const adapter = recordingAdapter();
    const options = { adapter, allowBots: true };
    const stops = [startTracker(options), startTracker(options)];
    stops[0]?.();
    expect(adapter.updates).toEqual([]);
    stops[1]?.();
    expect(adapter.updates).toHaveLength(1);
  });

  it('share one session across two copies of the script', async () => {
    const adapter = recordingAdapter();
    track({ adapter });
    vi.resetModules();
    const copy = await import('./tracker.ts');
    expect(copy.startTracker).not.toBe(startTracker);
    const stop = copy.startTracker({ adapter, allowBots: true });
    expect(adapter.starts).toHaveLength(1);
    document.body.click();
    leave();
    expect(adapter.updates).toMatchObject([{ update: { page_count: 1, click_count: 1 } }]);
    stop();
  });

  it('resume the session when one is started again, without another page view', () => {
    const adapter = recordingAdapter();
    track({ adapter })();
    track({ adapter });
    vi.advanceTimersByTime(3_000);
    leave();
    expect(adapter.starts).toHaveLength(1);
    expect(adapter.updates.at(-1)).toMatchObject({
      id: adapter.starts[0]?.id,
      update: { page_count: 1, total_duration: 3 },
    });
  });

  it('count a page view when one is started again on another route', () => {
    const adapter = recordingAdapter();
    track({ adapter })();
    history.pushState(null, '', '/prices');
    track({ adapter });
    expect(adapter.starts).toHaveLength(1);
    expect(adapter.updates.at(-1)).toMatchObject({ update: { page_count: 2 } });
  });

  it('start a new session when one is started again after the limit', () => {
    const adapter = recordingAdapter();
    track({ adapter })();
    vi.advanceTimersByTime(31 * 60_000);
    track({ adapter });
    expect(adapter.starts.map((start) => start.total_sessions)).toEqual([1, 2]);
  });

  it('use the adapter of the caller that starts again', () => {
    const [before, after] = [recordingAdapter(), recordingAdapter()];
    track({ adapter: before })();
    const { length } = before.updates;
    track({ adapter: after });
    leave();
    expect(before.updates).toHaveLength(length);
    expect(after.updates).toHaveLength(1);
  });
});

it('continues if a callback throws', () => {
  const adapter = recordingAdapter();
  const stop = track({
    adapter,
    onSession() {
      throw new Error('broken host');
    },
  });
  stop();
  expect(adapter.updates).toMatchObject([{ final: true }]);
  expect(vi.getTimerCount()).toBe(0);
});
