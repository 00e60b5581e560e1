import { AdminOverlay, type AdminOverlayProps, type Messages } from 'early-access-kit';
import { type MemoryScript, type MemoryStore, memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { INITIAL_TOTALS, toSessionRecord } from 'early-access-kit/core';
import { expect, fireEvent, screen, waitFor } from 'storybook/test';
import { storeOf } from './on-page.tsx';

/** What the stories of the admin overlay share: the owner, a page below the overlay, and the numbers. */

export const OWNER = 'owner@example.org';
export const NOW = Date.UTC(2025, 5, 1);

/** So many visits of as many visitors, every third of them a bounce, and so many signups. */
function storeWith(visits: number, signups: number): MemoryStore {
  const store = memoryStore();
  for (let number = 0; number < visits; number += 1) {
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

/** A store that answers the owner, or does what the script says. */
export const owned = (store: () => MemoryStore, script: MemoryScript = {}) =>
  storeOf(() => memoryAdapter({ adminEmail: OWNER, store: store(), now: () => NOW, script }));
export const busy = () => storeWith(1248, 86);

export function OwnersPage(overlay: AdminOverlayProps) {
  return (
    <>
      <main style={{ minBlockSize: '34rem' }}>
        <h1>A landing page</h1>
        <p>
          The overlay lies on top of it. <a href="#numbers">Press Ctrl+Alt+A</a> to ask for the numbers.
        </p>
      </main>
      <AdminOverlay {...overlay} />
    </>
  );
}

/** The browser holds nothing. The address in its storage is shared by all stories. */
export const locked = () => localStorage.removeItem('adminEmail');
/** The browser holds the owner's address. */
export const remembered = () => localStorage.setItem('adminEmail', OWNER);

/** Presses again until it helps: a play function may start before the page listens. */
export const openAccessDialog = ({ accessTitle }: Messages) =>
  waitFor(async () => {
    await fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, code: 'KeyA', key: 'a' });
    await expect(screen.getByRole('dialog', { name: accessTitle })).toBeVisible();
  });
export const adminField = ({ accessEmailLabel }: Messages) => screen.getByLabelText<HTMLInputElement>(accessEmailLabel);
export const panel = ({ overviewTitle }: Messages) => screen.findByRole('dialog', { name: overviewTitle });
export const counterBox = ({ overviewTitle }: Messages) => screen.findByRole('region', { name: overviewTitle });
/** The counter box's button, once it holds these numbers. */
export const counter = ({ uniqueVisitors, emailSignups }: Messages, visitors: string, signups: string) =>
  screen.findByRole('button', { name: `${uniqueVisitors} ${visitors} ${emailSignups} ${signups}` });
