import type { Page } from '@playwright/test';
import type { Database, Row } from './database.ts';
import { expect } from './test.ts';

/** What the tracker stores in the browser, as it is there. */
export async function storedIn(
  page: Page,
  key: 'visitor_data' | 'current_session',
): Promise<Record<string, unknown> | null> {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null'), key);
}

/** The id of the page's visit, once its start is in the database. */
export async function startedVisit(page: Page, database: Database): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      id = String((await storedIn(page, 'current_session'))?.sessionId);
      return database.session(id) !== undefined;
    })
    .toBe(true);
  return id;
}

/** The visit, once it has ended as far as the page can tell. */
export async function endedVisit(id: string, database: Database): Promise<Row> {
  await expect.poll(() => database.session(id)?.session_end).toEqual(expect.any(Number));
  return database.session(id) ?? {};
}

/** Tells the page that it went into the background or came back: Playwright keeps every page in the foreground. */
export function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState });
    Object.defineProperty(document, 'hidden', { configurable: true, value: visibilityState === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
