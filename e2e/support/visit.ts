import type { Page } from '@playwright/test';
import type { Database, Row } from './database.ts';
import { expect } from './test.ts';

/** Reads a value that the tracker stored in the browser. */
export async function readStored(
  page: Page,
  key: 'visitor_data' | 'current_session',
): Promise<Record<string, unknown> | null> {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null'), key);
}

/** Returns the id of the page's session once its start is in the database. */
export async function startedVisit(page: Page, database: Database): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      id = String((await readStored(page, 'current_session'))?.sessionId);
      return (await database.session(id)) !== undefined;
    })
    .toBe(true);
  return id;
}

/** Returns the session once its end is in the database. */
export async function endedVisit(id: string, database: Database): Promise<Row> {
  await expect.poll(async () => (await database.session(id))?.session_end).toEqual(expect.any(Number));
  return (await database.session(id)) ?? {};
}

/** Simulates a change of visibility, because Playwright's pages are always in the foreground. */
export function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState });
    Object.defineProperty(document, 'hidden', { configurable: true, value: visibilityState === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
