// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { go, hide, leave, recordingAdapter, track } from './page.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

const pageCounts = ({ updates }: ReturnType<typeof recordingAdapter>) =>
  updates.map(({ update, final }) => [update.page_count, update.session_end === null, final]);

it('a route change with an event immediately counts as a page view', () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  const adapter = recordingAdapter();
  const stop = track({ adapter });
  for (const path of ['/prices', '/about']) {
    go(path);
    navigation.dispatchEvent(Object.assign(new Event('currententrychange'), { navigationType: 'push' }));
  }
  expect(pageCounts(adapter)).toEqual([
    [2, true, false],
    [3, true, false],
  ]);
  stop();
  go('/');
  navigation.dispatchEvent(new Event('currententrychange'));
  expect(adapter.updates).toHaveLength(3);
});

it('a redirect that replaces the history entry does not', () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  const adapter = recordingAdapter();
  track({ adapter });
  history.replaceState(null, '', '/en');
  navigation.dispatchEvent(Object.assign(new Event('currententrychange'), { navigationType: 'replace' }));
  vi.advanceTimersByTime(5_000);
  expect(adapter.updates).toEqual([]);
});

it('a route change without an event is detected at the next tick', () => {
  const adapter = recordingAdapter();
  track({ adapter });
  go('/prices');
  expect(adapter.updates).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(pageCounts(adapter)).toEqual([[2, true, false]]);
  go('/');
  window.dispatchEvent(new PopStateEvent('popstate'));
  window.dispatchEvent(new PopStateEvent('popstate'));
  vi.advanceTimersByTime(60_000);
  expect(pageCounts(adapter)).toEqual([
    [2, true, false],
    [3, true, false],
  ]);
});

it.each([
  ['hidden', hide],
  ['left', leave],
])('a route change without an event is detected before the page is %s', (_, end) => {
  const adapter = recordingAdapter();
  track({ adapter });
  go('/prices');
  end();
  expect(pageCounts(adapter)).toEqual([
    [2, true, false],
    [2, false, true],
  ]);
});

it('without the Navigation API, no page view that lasts half a second is lost', () => {
  vi.stubGlobal('navigation', undefined);
  const adapter = recordingAdapter();
  track({ adapter });
  for (const path of ['/prices', '/about', '/']) {
    go(path);
    vi.advanceTimersByTime(500);
  }
  expect(pageCounts(adapter).map(([count]) => count)).toEqual([2, 3, 4]);
});

it('each view has its path, and so has the start of the session', () => {
  vi.stubGlobal('navigation', undefined);
  history.replaceState(null, '', '/?page=2#/start?x=1');
  const adapter = recordingAdapter();
  track({ adapter });
  const long = '/x'.repeat(1_000);
  for (const url of ['/prices?utm_source=news#top', '/#!/about?page=2', long, '/']) {
    go(url);
    vi.advanceTimersByTime(500);
  }
  expect(adapter.starts).toMatchObject([{ landing_path: '/#/start' }]);
  const views = adapter.updates.map(({ update }) => [update.page_count, update.session_end, update.page_path]);
  expect(views).toEqual([
    [2, null, '/prices'],
    [3, null, '/#!/about'],
    [4, null, long.slice(0, 1_024)],
    [5, null, '/'],
  ]);
});

it('a path in the fragment is a page view, but a different query in it is not', () => {
  vi.stubGlobal('navigation', undefined);
  const adapter = recordingAdapter();
  track({ adapter });
  for (const url of ['/#/', '/#/prices', '/#/prices?page=2', '/#!/about', '/#top', '/#/']) {
    go(url);
    vi.advanceTimersByTime(500);
  }
  leave();
  expect(pageCounts(adapter).map(([count]) => count)).toEqual([2, 3, 4, 4]);
});

it('a different query or fragment is the same page view', () => {
  const adapter = recordingAdapter();
  track({ adapter });
  for (const url of ['/?page=2', '/?page=2#form', '/#top']) {
    go(url);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }
  vi.advanceTimersByTime(60_000);
  leave();
  expect(pageCounts(adapter)).toEqual([[1, false, true]]);
});

it("the host's history object is not patched", () => {
  const { pushState, replaceState } = history;
  track({ adapter: recordingAdapter() });
  expect(history.pushState).toBe(pushState);
  expect(history.replaceState).toBe(replaceState);
});
