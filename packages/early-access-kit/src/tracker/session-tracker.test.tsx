// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { StorageAdapter } from '../core/adapter.ts';
import { EarlyAccessProvider, useEarlyAccess } from '../provider.tsx';
import { type RecordingAdapter, recordingAdapter } from './page.fixture.ts';
import { SessionTracker } from './session-tracker.tsx';

afterEach(cleanup);

/** A store that only supports sessions. */
function createStore(recorder: RecordingAdapter): StorageAdapter {
  const unexpected = () => Promise.reject(new Error('unexpected call'));
  return {
    startSession: recorder.startSession,
    updateSession: recorder.updateSession,
    createSignup: unexpected,
    sendWelcomeEmail: unexpected,
    readSummary: unexpected,
  };
}

/** Exposes the object from which forms read the session on submit. */
function Form({ place }: { place(session: { current: string | null }): void }): ReactNode {
  place(useEarlyAccess().session);
  return null;
}

function setUp() {
  const recorder = recordingAdapter();
  const adapter = createStore(recorder);
  let known: { current: string | null } = { current: null };
  const page = (children: ReactNode) => (
    <StrictMode>
      <EarlyAccessProvider adapter={adapter} notify={() => {}}>
        {children}
        <Form
          place={(session) => {
            known = session;
          }}
        />
      </EarlyAccessProvider>
    </StrictMode>
  );
  return { recorder, page, sessionId: () => known.current };
}

it('tracks while it is mounted, renders nothing, and passes the session to the forms', () => {
  const { recorder, page, sessionId } = setUp();
  const { container, rerender } = render(page(<SessionTracker allowBots />));
  expect(container.innerHTML).toBe('');
  expect(sessionId()).toBe(recorder.starts[0]?.id);
  rerender(page(null));
  expect(recorder.updates.at(-1)).toMatchObject({ final: true, id: recorder.starts[0]?.id });
  expect(sessionId()).toBeNull();
});

it('starts one session with one page view in StrictMode, mounted twice, and rendered again', () => {
  const { recorder, page, sessionId } = setUp();
  const twice = (
    <>
      <SessionTracker allowBots />
      <SessionTracker allowBots />
    </>
  );
  const { rerender } = render(page(twice));
  rerender(page(twice));
  expect(recorder.starts).toHaveLength(1);
  expect(recorder.updates.every(({ update }) => update.page_count === 1)).toBe(true);
  rerender(page(<SessionTracker allowBots />));
  expect(sessionId()).toBe(recorder.starts[0]?.id);
});

it('starts when consent is given and stops when it is withdrawn', () => {
  const { recorder, page, sessionId } = setUp();
  const { rerender } = render(page(<SessionTracker allowBots consent={false} />));
  expect(recorder.starts).toEqual([]);
  rerender(page(<SessionTracker allowBots consent />));
  expect(sessionId()).toBe(recorder.starts[0]?.id);
  rerender(page(<SessionTracker allowBots consent={false} />));
  expect(sessionId()).toBeNull();
});

it.each(['unload', 'idle'] as const)(
  'removes stored data when consent is withdrawn, with sessions until %s',
  (endSession) => {
    const { page } = setUp();
    const tracker = (consent?: boolean) => page(<SessionTracker allowBots endSession={endSession} consent={consent} />);
    // A page that has not asked for consent yet must not remove anything.
    localStorage.setItem('visitor_data', '{"visitorId":"0a1b2c3d","lastVisit":1,"totalSessions":2}');
    const { rerender } = render(tracker(false));
    expect(localStorage).toHaveLength(1);
    rerender(tracker());
    expect(JSON.parse(localStorage.getItem('visitor_data') ?? '')).toMatchObject({
      visitorId: '0a1b2c3d',
      totalSessions: 3,
    });
    rerender(tracker(false));
    expect(localStorage).toHaveLength(0);
  },
);

it('requires the provider', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  expect(() => render(<SessionTracker />)).toThrow('put this widget inside');
});
