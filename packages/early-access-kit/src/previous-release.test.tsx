// @vitest-environment jsdom

import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { overlayInTests, setUp } from './admin/overlay.fixture.tsx';
import { MINUTE_MS } from './core/time.ts';
import { leave, recordingAdapter, track } from './tracker/page.fixture.ts';

/** The values that version 0.0.0 wrote into `localStorage`, byte for byte. Do not produce these strings with the code under test. */
const CURRENT_SESSION =
  '{"sessionId":"4f0c1d52-9f0e-4b57-8f39-3a1f0a7be1c2","startTime":1748736000000,"pageViews":3,"visitorId":"a3f9c07e","lastVisit":1748736000000,"totalSessions":4,"isReturningVisitor":true}';
const VISITOR_DATA = '{"visitorId":"a3f9c07e","lastVisit":1748736000000,"totalSessions":4}';
const ADMIN_EMAIL = 'Owner@Example.org';

const STARTED_AT = 1_748_736_000_000;

overlayInTests();

beforeEach(() => {
  localStorage.setItem('current_session', CURRENT_SESSION);
  localStorage.setItem('visitor_data', VISITOR_DATA);
});

it('resumes a session of the previous release, and stores it so that the previous release can read it', () => {
  vi.useFakeTimers({ now: STARTED_AT + MINUTE_MS });
  const adapter = recordingAdapter();
  track({ adapter, endSession: 'idle' });
  leave();
  expect(adapter.starts).toEqual([]);
  for (const { id, update } of adapter.updates) {
    expect(id).toBe('4f0c1d52-9f0e-4b57-8f39-3a1f0a7be1c2');
    expect(update).toMatchObject({
      visitor_id: 'a3f9c07e',
      session_start: STARTED_AT,
      page_count: 4,
      is_returning_visitor: true,
      total_sessions: 4,
    });
  }
  expect(adapter.updates).toHaveLength(2);
  expect(localStorage.getItem('current_session')).toBe(CURRENT_SESSION.replace('"pageViews":3', '"pageViews":4'));
  expect(localStorage.getItem('visitor_data')).toBe(VISITOR_DATA);
});

it('recognizes a visitor of the previous release in a new session', () => {
  vi.useFakeTimers({ now: STARTED_AT + 31 * MINUTE_MS });
  const adapter = recordingAdapter();
  track({ adapter });
  expect(adapter.starts).toMatchObject([
    {
      visitor_id: 'a3f9c07e',
      is_returning_visitor: true,
      total_sessions: 5,
      session_start: STARTED_AT + 31 * MINUTE_MS,
    },
  ]);
  expect(localStorage.getItem('visitor_data')).toBe(
    '{"visitorId":"a3f9c07e","lastVisit":1748737860000,"totalSessions":5}',
  );
});

it('unlocks the overlay with the admin email that the previous release stored', async () => {
  localStorage.setItem('adminEmail', ADMIN_EMAIL);
  const { readSummary, respond } = setUp();
  await respond();
  expect(readSummary).toHaveBeenCalledWith(ADMIN_EMAIL);
  await screen.findByText('1,234');
  expect(localStorage.getItem('adminEmail')).toBe(ADMIN_EMAIL);
});
