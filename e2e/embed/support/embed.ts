import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

interface Told {
  readonly type: string;
  readonly detail: unknown;
  readonly target: string;
}

/** Records what the elements tell the page, from its beginning on. */
export async function recordEvents(page: Page): Promise<() => Promise<Told[]>> {
  await page.addInitScript(() => {
    const told: Told[] = [];
    for (const type of ['success', 'duplicate', 'error']) {
      document.addEventListener(`early-access:${type}`, (event) => {
        const target = event.target instanceof Element ? event.target.localName : '';
        told.push({ type, detail: event instanceof CustomEvent ? event.detail : undefined, target });
      });
    }
    Object.assign(window, { told });
  });
  return () => page.evaluate(() => Reflect.get(window, 'told'));
}

interface Script {
  readonly file: string;
  readonly integrity: string;
}

/** The scripts that were built, with their hashes. */
export function scripts(): { main: Script; admin: Script } {
  const list = new URL('../../../packages/early-access-kit/dist/script/embed.json', import.meta.url);
  return JSON.parse(readFileSync(list, 'utf8'));
}
