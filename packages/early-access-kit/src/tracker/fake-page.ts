import { afterEach, vi } from 'vitest';
import type { SessionStart, SessionUpdate } from '../core/records.ts';
import { FakeFrames } from './fake-frames.ts';
import type { SessionAdapter } from './page-tracker.ts';
import { startTracker, type TrackerOptions } from './tracker.ts';

/** What the tests share, in jsdom: an adapter that records what it is told, and a page whose life is in the test's hands. */

interface ToldUpdate {
  readonly id: string;
  readonly update: SessionUpdate;
  readonly final: boolean;
}

export interface RecordingAdapter extends SessionAdapter {
  readonly starts: SessionStart[];
  readonly updates: ToldUpdate[];
}

/** With `failure` every call is recorded and then fails. */
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

Object.assign(window, { ResizeObserver: FakeFrames });

const running: (() => void)[] = [];

/** Starts a tracker that ends with the test. Who may be tracked is not in question unless the test says so. */
export function track(options: Partial<TrackerOptions> & { adapter: SessionAdapter }): () => void {
  const stop = startTracker({ allowBots: true, ...options });
  running.push(stop);
  return stop;
}

/** What a new document finds: everything of the one before is gone, except for what is stored. */
export function newDocument(): void {
  for (const stop of running.splice(0)) stop();
  Reflect.deleteProperty(window, Symbol.for('early-access-kit.tracker'));
}

/** Leaves nothing of a test behind. */
export function cleanUp(): void {
  newDocument();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sleptMs = 0;
  localStorage.clear();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
}

afterEach(cleanUp);

function turn(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
  FakeFrames.next();
}

export const hide = (): void => turn(true);
export const show = (): void => turn(false);

/** The visitor goes elsewhere: what browsers fire, in their order. */
export function leave({ persisted = false } = {}): void {
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted }));
  hide();
}

/** The visitor comes back, and the page out of the back/forward cache. */
export function comeBack(): void {
  show();
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
}

let sleptMs = 0;

/** Time passes without a timer running. */
export function sleep(ms: number): void {
  const awake = performance.now.bind(performance);
  if (sleptMs === 0) vi.spyOn(performance, 'now').mockImplementation(() => awake() + sleptMs);
  sleptMs += ms;
  vi.setSystemTime(Date.now() + ms);
}

/** A route change of a single-page host, as a browser without the Navigation API tells it: not at all. */
export function go(path: string): void {
  history.pushState(null, '', path);
}

/** jsdom lays nothing out: these are the heights that it is to report, in pixels. Fails whoever asks while they may have changed. */
export function layOut(heights: { window: number; document: number }): void {
  vi.stubGlobal('innerHeight', heights.window);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => {
    if (!FakeFrames.laidOut) throw new Error('the height was read where that forces a layout');
    return heights.document;
  });
  FakeFrames.next();
}

export function scrollTo(top: number): void {
  vi.stubGlobal('scrollY', top);
  window.dispatchEvent(new Event('scroll'));
}

export function stored(key: 'current_session' | 'visitor_data'): unknown {
  return JSON.parse(localStorage.getItem(key) ?? 'null');
}
