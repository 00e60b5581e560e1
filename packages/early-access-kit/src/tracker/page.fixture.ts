import { afterEach, beforeEach, vi } from 'vitest';
import type { SessionStart, SessionUpdate } from '../core/records.ts';
import type { SessionAdapter } from './page-tracker.ts';
import { FakeResizeObserver } from './resize-observer.fixture.ts';
import { startTracker, type TrackerOptions } from './tracker.ts';

/** Test helpers for jsdom: an adapter that records its calls, and control over the page's lifecycle. */

interface ToldUpdate {
  readonly id: string;
  readonly update: SessionUpdate;
  readonly final: boolean;
}

export interface RecordingAdapter extends SessionAdapter {
  readonly starts: SessionStart[];
  readonly updates: ToldUpdate[];
}

/** Records all calls. If `failure` is given, each one then rejects with it. */
export function recordingAdapter(failure?: Error): RecordingAdapter {
  const starts: SessionStart[] = [];
  const updates: ToldUpdate[] = [];
  return {
    starts,
    updates,
    async startSession(session) {
      starts.push(session);
      if (failure) throw failure;
    },
    async updateSession(id, update, options) {
      updates.push({ id, update, final: options?.final ?? false });
      if (failure) throw failure;
    },
  };
}

Object.assign(window, { ResizeObserver: FakeResizeObserver });
// Every element is in the middle of the window, the innermost on top.
Object.assign(document, { elementsFromPoint: () => [...document.querySelectorAll('*')].reverse() });

const running: (() => void)[] = [];

/** Starts a tracker that stops after the test. Tracks bots unless the test says otherwise. */
export function track(options: Partial<TrackerOptions> & { adapter: SessionAdapter }): () => void {
  const stop = startTracker({ allowBots: true, ...options });
  running.push(stop);
  return stop;
}

/** Simulates a new document: everything except storage is reset. */
export function newDocument(): void {
  for (const stop of running.splice(0)) stop();
  Reflect.deleteProperty(window, Symbol.for('early-access-kit.tracker'));
}

/** Resets everything that a test has changed. */
export function cleanUp(): void {
  newDocument();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sleptMs = 0;
  document.documentElement.scrollTop = 0;
  localStorage.clear();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
}

afterEach(cleanUp);

/** jsdom lacks the Navigation API. Tests dispatch its events themselves. */
beforeEach(() => void vi.stubGlobal('navigation', new EventTarget()));

function turn(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
  FakeResizeObserver.next();
}

export const hide = (): void => turn(true);
export const show = (): void => turn(false);

/** Leaves the page: fires the browser's events in order. */
export function leave({ persisted = false } = {}): void {
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted }));
  hide();
}

/** Restores the page from the back/forward cache. */
export function comeBack(): void {
  show();
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
}

let sleptMs = 0;

/** Advances the clocks without running timers. */
export function sleep(ms: number): void {
  const awake = performance.now.bind(performance);
  if (sleptMs === 0) vi.spyOn(performance, 'now').mockImplementation(() => awake() + sleptMs);
  sleptMs += ms;
  vi.setSystemTime(Date.now() + ms);
}

/** Changes the route like a single-page host. No event is fired, as in browsers without the Navigation API. */
export function go(path: string): void {
  history.pushState(null, '', path);
}

/** Sets the heights that jsdom reports, in pixels. Throws if they are read when that would force a layout. */
export function layOut(heights: { window: number; document: number }): void {
  vi.stubGlobal('innerHeight', heights.window);
  setHeight(document.documentElement, 'scrollHeight', heights.document);
  FakeResizeObserver.next();
}

/** Sets a height of an element, like `layOut`. */
export function setHeight(element: Element, name: 'scrollHeight' | 'clientHeight', height: number): void {
  vi.spyOn(element, name, 'get').mockImplementation(() => {
    if (!FakeResizeObserver.laidOut) throw new Error('the height was read where that forces a layout');
    return height;
  });
}

export function scrollTo(top: number, element = document.documentElement): void {
  element.scrollTop = top;
  element.dispatchEvent(new Event('scroll'));
}

export function stored(key: 'current_session' | 'visitor_data'): unknown {
  return JSON.parse(localStorage.getItem(key) ?? 'null');
}
