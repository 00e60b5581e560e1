import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

interface RecordedEvent {
  readonly type: string;
  readonly detail: unknown;
  readonly target: string;
}

/** Records the elements' events from the start of the page. Returns a function that reads them. */
export async function recordEvents(page: Page): Promise<() => Promise<RecordedEvent[]>> {
  await page.addInitScript(() => {
    const recorded: RecordedEvent[] = [];
    for (const type of ['success', 'duplicate', 'error']) {
      let last: unknown;
      // Each event is dispatched under two names, this one first.
      document.addEventListener(`early-access-${type}`, ({ target }) => {
        last = target;
      });
      document.addEventListener(`early-access:${type}`, (event) => {
        if (last !== event.target) throw new Error(`no early-access-${type} came before early-access:${type}`);
        last = undefined;
        const target = event.target instanceof Element ? event.target.localName : '';
        recorded.push({ type, detail: event instanceof CustomEvent ? event.detail : undefined, target });
      });
    }
    Object.assign(window, { recorded });
  });
  return () => page.evaluate(() => Reflect.get(window, 'recorded'));
}

interface Script {
  readonly file: string;
  readonly integrity: string;
}

/** The built scripts with their hashes. */
export function scripts(): { main: Script; admin: Script } {
  const list = new URL('../../../packages/early-access-kit/dist/script/embed.json', import.meta.url);
  return JSON.parse(readFileSync(list, 'utf8'));
}
