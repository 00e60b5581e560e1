// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SESSION_EXPIRY_MS } from '../core/limits.ts';
import {
  comeBack,
  hide,
  layOut,
  leave,
  recordingAdapter,
  scrollTo,
  setHeight,
  show,
  sleep,
  track,
} from './page.fixture.ts';
import { FakeResizeObserver } from './resize-observer.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** Returns the totals at the end of a session with these events. */
function totalsAfter(happening: () => void) {
  const adapter = recordingAdapter();
  track({ adapter });
  happening();
  leave();
  return adapter.updates.at(-1)?.update;
}

describe('the scroll depth', () => {
  it.each([
    ['the part seen without scrolling', 0, 30],
    ['half way down', 350, 65],
    ['the end', 700, 100],
    ['the end, except for a fraction of a pixel', 699.6, 100],
    ['at most the document, when overscrolled', 780, 100],
  ])('is %s', (_, top, expected) => {
    layOut({ window: 300, document: 1_000 });
    expect(totalsAfter(() => scrollTo(top))?.max_scroll_depth).toBe(expected);
  });

  it('is 100 for a page that is shorter than the window', () => {
    layOut({ window: 900, document: 400 });
    expect(totalsAfter(() => {})?.max_scroll_depth).toBe(100);
  });

  it('is 0 if nothing can be seen', () => {
    layOut({ window: 0, document: 0 });
    expect(totalsAfter(() => {})?.max_scroll_depth).toBe(0);
  });

  it('is the maximum, not the last value', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      vi.advanceTimersByTime(200);
      scrollTo(500);
      vi.advanceTimersByTime(200);
      scrollTo(0);
    });
    expect(totals?.max_scroll_depth).toBe(80);
  });

  it('is measured by the tick if the page grew or moved without an event', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      document.documentElement.scrollTop = 400;
      vi.advanceTimersByTime(5_000);
      document.documentElement.scrollTop = 0;
    });
    expect(totals?.max_scroll_depth).toBe(70);
  });

  it('is measured at most once per frame', () => {
    layOut({ window: 300, document: 1_000 });
    const adapter = recordingAdapter();
    track({ adapter });
    const measured = vi.spyOn(document.documentElement, 'scrollTop', 'get');
    FakeResizeObserver.during(() => {
      for (let event = 0; event < 60; event++) scrollTo(event);
    });
    expect(measured).toHaveBeenCalledTimes(1);
    leave();
    expect(adapter.updates.at(-1)?.update.max_scroll_depth).toBe(36);
  });

  it('is measured when scrolling begins, then four times a second, including after the last event', () => {
    layOut({ window: 300, document: 1_000 });
    const adapter = recordingAdapter();
    track({ adapter });
    const measured = vi.spyOn(document.documentElement, 'scrollTop', 'get');
    for (let frame = 0; frame <= 60; frame++) {
      scrollTo(10 * frame);
      vi.advanceTimersByTime(16);
    }
    vi.advanceTimersByTime(1_000);
    expect(measured).toHaveBeenCalledTimes(1 + 3);
    leave();
    expect(adapter.updates.at(-1)?.update.max_scroll_depth).toBe(90);
  });

  it('is no longer measured once the end was seen, until a new session', () => {
    layOut({ window: 300, document: 1_000 });
    const adapter = recordingAdapter();
    track({ adapter });
    scrollTo(700);
    vi.advanceTimersByTime(1_000);
    scrollTo(0);
    vi.advanceTimersByTime(1_000);
    const measured = vi.spyOn(document.documentElement, 'scrollTop', 'get');
    for (const top of [100, 300]) {
      scrollTo(top);
      vi.advanceTimersByTime(1_000);
    }
    expect(measured).not.toHaveBeenCalled();
    leave();
    expect(adapter.updates.at(-1)?.update.max_scroll_depth).toBe(100);
    sleep(SESSION_EXPIRY_MS + 1);
    comeBack();
    scrollTo(350);
    leave();
    expect(adapter.starts).toHaveLength(2);
    expect(adapter.updates.at(-1)?.update.max_scroll_depth).toBe(65);
  });

  it('includes the far end of a long scroll, even if it ends where it began', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      for (let frame = 0; frame < 240; frame++) {
        scrollTo(700 * Math.sin((Math.PI * Math.max(0, frame - 60)) / 180));
        vi.advanceTimersByTime(16);
      }
      scrollTo(0);
    });
    expect(totals?.max_scroll_depth).toBeGreaterThanOrEqual(95);
  });

  it('is measured again after a scroll during which the page was hidden', () => {
    layOut({ window: 300, document: 1_000 });
    const totals = totalsAfter(() => {
      scrollTo(100);
      hide();
      vi.advanceTimersByTime(60_000);
      show();
      scrollTo(500);
      vi.advanceTimersByTime(500);
      scrollTo(0);
    });
    expect(totals?.max_scroll_depth).toBe(80);
  });

  it('is only read after layout, never during an event, a tick or the end', () => {
    const read = vi.spyOn(document.documentElement, 'scrollHeight', 'get');
    vi.stubGlobal('innerHeight', 300);
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

  it('excludes content seen before it loaded if the page was left immediately', () => {
    layOut({ window: 300, document: 300 });
    expect(totalsAfter(() => layOut({ window: 300, document: 1_000 }))?.max_scroll_depth).toBe(30);
  });

  it.each([
    ['body', 0, 25],
    ['body', 500, 75],
    ['main', 500, 75],
  ])('is of the %s if that scrolls instead of the document: %i px', (name, top, expected) => {
    const scroller = name === 'body' ? document.body : document.body.appendChild(document.createElement(name));
    setHeight(document.documentElement, 'clientHeight', 300);
    setHeight(scroller, 'clientHeight', 250);
    setHeight(scroller, 'scrollHeight', 1_000);
    layOut({ window: 300, document: 300 });
    expect(totalsAfter(() => scrollTo(top, scroller))?.max_scroll_depth).toBe(expected);
    document.body.replaceChildren();
  });

  it('is measured without a hit test if the document scrolls', () => {
    setHeight(document.documentElement, 'clientHeight', 300);
    layOut({ window: 300, document: 1_000 });
    const hit = vi.spyOn(document, 'elementsFromPoint');
    expect(totalsAfter(() => scrollTo(500))?.max_scroll_depth).toBe(80);
    expect(hit).not.toHaveBeenCalled();
  });

  it('is of the document if both scroll', () => {
    setHeight(document.body, 'clientHeight', 100);
    setHeight(document.body, 'scrollHeight', 1_000);
    layOut({ window: 300, document: 1_000 });
    expect(totalsAfter(() => scrollTo(500))?.max_scroll_depth).toBe(80);
  });

  it('is no longer measured after tracking has stopped', () => {
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

it('a click counts even if the page stops its propagation', () => {
  const button = document.body.appendChild(document.createElement('button'));
  button.addEventListener('click', (event) => event.stopImmediatePropagation());
  expect(totalsAfter(() => button.click())?.click_count).toBe(1);
  button.remove();
});

it('time is reported in whole seconds, and none is lost between ticks and visibility changes', () => {
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
  ['counts up to two ticks', 10_000, 10],
  ['does not count beyond two ticks, because the machine was asleep', 10_001, 0],
])('time between two measurements %s', (_, ms, seconds) => {
  expect(totalsAfter(() => sleep(ms))?.total_duration).toBe(seconds);
});
