// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { leave, recordingAdapter, scrollTo, track } from './page.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('ResizeObserver', undefined);
});

it('a browser without ResizeObserver measures everything except the scroll depth', () => {
  const adapter = recordingAdapter();
  const onSession = vi.fn();
  track({ adapter, onSession });
  expect(onSession).toHaveBeenCalledWith(adapter.starts[0]?.id);
  scrollTo(500);
  document.body.click();
  vi.advanceTimersByTime(12_000);
  leave();
  expect(adapter.updates.at(-1)).toMatchObject({
    id: adapter.starts[0]?.id,
    update: { total_duration: 12, click_count: 1, page_count: 1, max_scroll_depth: 0 },
    final: true,
  });
});
