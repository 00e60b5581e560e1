import { AdminOverlay, type AdminOverlayProps, type Messages } from 'early-access-kit';
import { type MemoryScript, type MemoryStore, memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { INITIAL_TOTALS, toSessionRecord } from 'early-access-kit/internal';
import { expect, fireEvent, screen, waitFor } from 'storybook/test';
import { provideStore } from './on-page.tsx';

/** Shared by the stories of the admin overlay: the admin's address, a page below the overlay, and the figures. */

export const ADMIN = 'admin@example.org';
const NOW = Date.UTC(2025, 5, 1);

/**
 * Creates a store with this many sessions, each from a different visitor, and this many signups. Every third session is
 * a bounce.
 */
function createStore(sessions: number, signups: number): MemoryStore {
  const store = memoryStore();
  for (let number = 0; number < sessions; number += 1) {
    const start = {
      id: `visit-${number}`,
      visitor_id: `visitor-${number}`,
      session_start: NOW - (number % 40_000) * 60_000,
      referrer: null,
      user_agent: 'Mozilla/5.0',
      device_type: 'mobile',
      browser: 'Safari',
      os: 'iOS',
      is_returning_visitor: false,
      total_sessions: 1,
    } as const;
    const totals = { ...INITIAL_TOTALS, page_count: number % 3 === 0 ? 1 : 2, total_duration: 30 + (number % 250) };
    store.sessions.set(start.id, toSessionRecord(start, totals));
  }
  for (let number = 0; number < signups; number += 1) {
    const email = `artist-${number}@example.org`;
    const signup = { email, session_id: null, source: 'landing_page', referrer: null };
    store.signups.set(email, { ...signup, submission_id: `submission-${number}`, created_at: NOW });
  }
  return store;
}

/** Story parameters for an adapter that accepts the admin. `script` changes how its calls respond. */
export const withAdmin = (store: () => MemoryStore, script: MemoryScript = {}) =>
  provideStore(() => memoryAdapter({ adminEmail: ADMIN, store: store(), now: () => NOW, script }));
export const busy = () => createStore(1248, 86);

export function AdminPage(overlay: AdminOverlayProps) {
  return (
    <>
      <h1>A landing page</h1>
      <p>
        The overlay lies on top of it. <a href="#figures">Press Ctrl+Alt+A</a> to open it.
      </p>
      <AdminOverlay {...overlay} />
    </>
  );
}

/** Removes the stored address. All stories share the browser's storage. */
export const locked = () => localStorage.removeItem('adminEmail');
/** Stores the admin's address. */
export const remembered = () => localStorage.setItem('adminEmail', ADMIN);

/**
 * Presses the shortcut until the overlay has loaded, because a play function may start before the page listens. A later
 * press could reopen a dialog that a story has closed.
 */
export const openAccessDialog = ({ accessTitle }: Messages) =>
  waitFor(async () => {
    if (!document.querySelector('.eak-admin')) {
      await fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, code: 'KeyA', key: 'a' });
    }
    await expect(screen.getByRole('dialog', { name: accessTitle })).toBeVisible();
  });
export const adminField = ({ accessEmailLabel }: Messages) => screen.getByLabelText<HTMLInputElement>(accessEmailLabel);
export const panel = ({ overviewTitle }: Messages) => screen.findByRole('dialog', { name: overviewTitle });
export const counterBox = ({ overviewTitle }: Messages) => screen.findByRole('region', { name: overviewTitle });
/** Returns the counter box's button once it shows these figures. */
export const counter = ({ uniqueVisitors, emailSignups }: Messages, visitors: string, signups: string) =>
  screen.findByRole('button', { name: `${uniqueVisitors} ${visitors} ${emailSignups} ${signups}` });
