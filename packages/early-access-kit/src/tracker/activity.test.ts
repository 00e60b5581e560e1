// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hide, layOut, leave, recordingAdapter, scrollTo, show, sleep, track } from './page.fixture.ts';
import { FakeResizeObserver } from './resize-observer.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** Returns the totals at the end of a session in which this happened. */
function totalsAfter(happening: () => void) {
  const adapter = recordingAdapter();
  track({ adapter });
  happening();
  leave();
  return adapter.updates.at(-1)?.update;
}

describe('the scroll depth', () => {
  it.each([
    ['what is seen without scrolling', 0, 30],
    ['half of the way', 350, 65],
    ['the end', 700, 100],
    ['the end, short of a fraction of a pixel', 699.6, 100],
    ['no more than the document, on a rubber band', 780, 100],
  ])('is %s', (_, top, expected) => {
    layOut({ window: 300, document: 1_000 });
    expect(totalsAfter(() => scrollTo(top))?.max_scroll_depth).toBe(expected);
  });

  it('is 100 for a page that is shorter than the window', () => {
    layOut({ window: 900, document: 400 });
    expect(totalsAfter(() => {})?.max_scroll_depth).toBe(100);
  });

  it('is 0 where nothing can be seen at all', () => {
    layOut({ window: 0, document: 0 });
    expect(totalsAfter(() => {})?.max_scroll_depth).toBe(0);
  });

  it('is the furthest, not the last', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      vi.advanceTimersByTime(200);
      scrollTo(500);
      vi.advanceTimersByTime(200);
      scrollTo(0);
    });
    expect(totals?.max_scroll_depth).toBe(80);
  });

  it('is found by the tick where the page grew or moved without an event', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      vi.stubGlobal('scrollY', 400);
      vi.advanceTimersByTime(5_000);
      vi.stubGlobal('scrollY', 0);
    });
    expect(totals?.max_scroll_depth).toBe(70);
  });

  it('is measured once a frame at most, however many events there are', () => {
    layOut({ window: 300, document: 1_000 });
    const adapter = recordingAdapter();
    track({ adapter });
    const measured = vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1_000).mockClear();
    FakeResizeObserver.during(() => {
      for (let event = 0; event < 60; event++) scrollTo(event);
    });
    expect(measured).toHaveBeenCalledTimes(1);
    leave();
    expect(adapter.updates.at(-1)?.update.max_scroll_depth).toBe(36);
  });

  it('is read only after a layout, never at an event, a tick or the end', () => {
    const read = vi.spyOn(document.documentElement, 'scrollHeight', 'get');
    for (const name of ['scrollY', 'innerHeight'] as const) vi.stubGlobal(name, 300);
    const laidOut: boolean[] = [];
    read.mockImplementation(() => {
      laidOut.push(FakeResizeObserver.laidOut);
      return 1_000;
    });
    totalsAfter(() => {
      scrollTo(500);
      vi.advanceTimersByTime(5_000);
      hide();
      show();
    });
    expect(laidOut.length).toBeGreaterThanOrEqual(4);
    expect(laidOut).not.toContain(false);
  });

  it('of a page that was left at once does not count what was seen before it had its content', () => {
    layOut({ window: 300, document: 300 });
    expect(totalsAfter(() => layOut({ window: 300, document: 1_000 }))?.max_scroll_depth).toBe(30);
  });

  it('is told of no more once tracking has stopped', () => {
    const stop = track({ adapter: recordingAdapter() });
    expect(FakeResizeObserver.observed).toBe(true);
    stop();
    expect(FakeResizeObserver.observed).toBe(false);
  });

  it('is not measured while the page is hidden', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      hide();
      scrollTo(700);
      vi.advanceTimersByTime(60_000);
      scrollTo(0);
      show();
    });
    expect(totals?.max_scroll_depth).toBe(30);
  });
});

it('a click counts even where the page stops its way', () => {
  const button = document.body.appendChild(document.createElement('button'));
  button.addEventListener('click', (event) => event.stopImmediatePropagation());
  expect(totalsAfter(() => button.click())?.click_count).toBe(1);
  button.remove();
});

it('time is told in whole seconds, and none is lost between ticks and turns', () => {
  const totals = totalsAfter(() => {
    for (let turn = 0; turn < 10; turn++) {
      vi.advanceTimersByTime(5_950);
      hide();
      show();
    }
  });
  expect(totals?.total_duration).toBe(59);
});

it.each([
  ['counts up to twice the tick', 10_000, 10],
  ['does not count beyond that: the machine was asleep', 10_001, 0],
])('time between two measurements %s', (_, ms, seconds) => {
  expect(totalsAfter(() => sleep(ms))?.total_duration).toBe(seconds);
});
