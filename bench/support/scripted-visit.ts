import FakeTimers from '@sinonjs/fake-timers';
import { JSDOM } from 'jsdom';
import { bundle } from './bundle.ts';

/** A request of the tracker. */
interface Sent {
  readonly url: string;
  readonly body: string;
}

/** A page with a tracker, whose visitor and clock are controlled by the test. */
export interface ScriptedVisit {
  readonly sent: readonly Sent[];
  wait(ms: number): Promise<void>;
  /** The visitor switches to another tab. */
  hide(): Promise<void>;
  show(): Promise<void>;
  /** A route change of a single-page host. */
  go(path: string): Promise<void>;
  click(): void;
  /** Scrolls to `top` pixels in a page of 4,000 pixels and a window of 800. */
  scrollTo(top: number): void;
  /** The visitor closes the tab: fires the browser's events in order. */
  leave(): Promise<void>;
  /** Frees the page. */
  end(): void;
}

/** Opens a page of the folder `pages` with a fake clock. Every request succeeds immediately. */
export async function openVisit(page: string): Promise<ScriptedVisit> {
  const script = await bundle(page);
  const { window } = new JSDOM('<!doctype html><title>Visit</title><button>Go</button>', {
    url: 'https://shop.example/',
    referrer: 'https://search.example/',
    runScripts: 'outside-only',
    pretendToBeVisual: true,
  });
  const { document } = window;
  const sent: Sent[] = [];
  const record = (url: unknown, body: unknown) => void sent.push({ url: String(url), body: String(body ?? '') });
  stubTransports(window, record);
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;
  const clock = FakeTimers.withGlobal(window).install({ now: Date.UTC(2026, 0, 1), toFake: [...toFake] });
  Object.defineProperty(document.documentElement, 'scrollHeight', { value: 4_000 });
  Object.defineProperty(window, 'innerHeight', { value: 800 });
  // jsdom has no layout, in which the tracker looks for a scrolling element.
  document.elementsFromPoint = () => [];

  /** Waits for the immediate consequences of an event. */
  const settle = () => clock.tickAsync(0);
  const turn = (hidden: boolean) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    Object.defineProperty(document, 'visibilityState', { value: hidden ? 'hidden' : 'visible', configurable: true });
    document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }));
    return settle();
  };
  document.hasFocus = () => !document.hidden;
  window.eval(script);
  await settle();

  return {
    sent,
    wait: async (ms) => void (await clock.tickAsync(ms)),
    hide: async () => void (await turn(true)),
    show: async () => void (await turn(false)),
    async go(path) {
      window.history.pushState(null, '', path);
      await settle();
    },
    click: () => document.querySelector('button')?.click(),
    scrollTo(top) {
      Object.defineProperty(window, 'scrollY', { value: top, configurable: true });
      document.dispatchEvent(new window.Event('scroll', { bubbles: true }));
    },
    async leave() {
      window.dispatchEvent(new window.PageTransitionEvent('pagehide', { persisted: false }));
      await turn(true);
    },
    end: () => window.close(),
  };
}

/** Stubs and records the three ways in which trackers send data. */
function stubTransports(window: JSDOM['window'], record: (url: unknown, body: unknown) => void): void {
  class RecordingRequest {
    readyState = 4;
    status = 202;
    onreadystatechange: (() => void) | null = null;
    #url = '';
    open(_method: string, url: string): void {
      this.#url = url;
    }
    setRequestHeader(): void {}
    send(body: unknown): void {
      record(this.#url, body);
      this.onreadystatechange?.();
    }
  }
  const fetch = async (url: unknown, options?: { body?: unknown }) => {
    record(url, options?.body);
    return { ok: true, status: 200, headers: new Headers(), json: async () => ({}), text: async () => '{}' };
  };
  const sendBeacon = (url: unknown, body: unknown) => {
    record(url, body);
    return true;
  };
  // Nothing is laid out, so nothing changes size: it calls back once, like browsers.
  class StillObserver {
    readonly #callback: () => void;
    constructor(callback: () => void) {
      this.#callback = callback;
    }
    observe(): void {
      this.#callback();
    }
    disconnect(): void {}
  }
  Object.assign(window, { fetch, XMLHttpRequest: RecordingRequest, ResizeObserver: StillObserver });
  Object.assign(window.navigator, { sendBeacon });
}
