import path from 'node:path';
import { build } from 'esbuild';
import { type DOMWindow, JSDOM } from 'jsdom';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { mergeSession, toSessionRecord } from '../core/metrics.ts';
import type { SessionRecord, SessionStart, SessionUpdate } from '../core/records.ts';

/**
 * Several tabs, each a window with its own copy of the bundled script. They share one storage, which notifies the other
 * tabs of every change, as in a browser.
 */

let script = '';

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [path.resolve(import.meta.dirname, '../tracker.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'kit',
  });
  script = outputFiles.map(({ text }) => text).join('');
});

/** One origin with the data that its tabs share. */
class Browser {
  readonly tabs = new Set<DOMWindow>();
  readonly stored = new Map<string, string>();
  /** The records that a store computes from the calls of all tabs. */
  readonly sessions = new Map<string, SessionRecord>();
  /** Events are delivered in order when the test calls for it, because tabs do not run in lockstep. */
  private readonly undelivered: (() => void)[] = [];

  open(): DOMWindow {
    const { window } = new JSDOM('', { url: 'https://site.example/', runScripts: 'outside-only' });
    Object.defineProperty(window, 'localStorage', { value: this.createStorage(window) });
    window.adapter = this.adapter();
    this.tabs.add(window);
    // jsdom has no layout.
    window.eval('ResizeObserver = class { observe() {} disconnect() {} }');
    window.eval(`${script}; stop = kit.startTracker({ adapter, allowBots: true });`);
    return window;
  }

  close(tab: DOMWindow): void {
    tab.dispatchEvent(new tab.PageTransitionEvent('pagehide'));
    this.tabs.delete(tab);
    tab.close();
  }

  deliver(): void {
    for (let event = this.undelivered.shift(); event; event = this.undelivered.shift()) event();
  }

  current(): Record<string, unknown> | null {
    return JSON.parse(this.stored.get('current_session') ?? 'null');
  }

  private createStorage(tab: DOMWindow) {
    const change = (key: string, newValue: string | null) => {
      const oldValue = this.stored.get(key) ?? null;
      if (newValue === null) this.stored.delete(key);
      else this.stored.set(key, newValue);
      if (newValue === oldValue) return;
      for (const other of this.tabs) {
        if (other === tab) continue;
        this.undelivered.push(() => {
          if (!this.tabs.has(other)) return;
          other.dispatchEvent(new other.StorageEvent('storage', { key, oldValue, newValue }));
        });
      }
    };
    return new Proxy<Record<string, string>>(
      {},
      {
        get: (_, key) => this.stored.get(String(key)),
        set(_, key, value) {
          change(String(key), value);
          return true;
        },
        deleteProperty(_, key) {
          change(String(key), null);
          return true;
        },
      },
    );
  }

  private adapter() {
    return {
      startSession: async (start: SessionStart) => {
        if (!this.sessions.has(start.id)) this.sessions.set(start.id, toSessionRecord(start));
      },
      updateSession: async (id: string, update: SessionUpdate) => {
        this.sessions.set(id, mergeSession(this.sessions.get(id) ?? toSessionRecord({ id, ...update }), update));
      },
    };
  }
}

const browsers: Browser[] = [];

function newBrowser(): Browser {
  const browser = new Browser();
  browsers.push(browser);
  return browser;
}

afterEach(() => {
  for (const browser of browsers.splice(0)) for (const tab of browser.tabs) browser.close(tab);
});

it('the restored count is the latest, whichever tab restores it', () => {
  const browser = newBrowser();
  browser.open();
  browser.open();
  const third = browser.open();
  browser.deliver();
  browser.close(third);
  browser.deliver();
  browser.open();
  expect(browser.current()).toMatchObject({ pageViews: 4 });
});

it('a session that started before the removal event arrived is not removed', () => {
  const browser = newBrowser();
  const first = browser.open();
  browser.open();
  browser.close(first);
  browser.open();
  const started = browser.current();
  browser.deliver();
  expect(browser.current()).toEqual(started);
  expect(browser.sessions.size).toBe(2);
});

it('route changes of several tabs add up', () => {
  const browser = newBrowser();
  const tabs = [browser.open(), browser.open()];
  for (const tab of tabs) {
    tab.history.pushState(null, '', '/prices');
    tab.dispatchEvent(new tab.PopStateEvent('popstate'));
  }
  expect([...browser.sessions.values()]).toMatchObject([{ page_count: 4 }]);
  expect(browser.current()).toMatchObject({ pageViews: 4 });
});

it('a session that was removed for any reason except the end of a tab is not restored', () => {
  const browser = newBrowser();
  const tab = browser.open();
  tab.dispatchEvent(new tab.StorageEvent('storage', { key: null }));
  browser.stored.clear();
  tab.dispatchEvent(new tab.StorageEvent('storage', { key: 'current_session', oldValue: '{"sessionId":"another"}' }));
  expect(browser.current()).toBeNull();
});
