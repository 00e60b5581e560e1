import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { StorageAdapter } from '../core/adapter.ts';
import { normalizeEmail } from '../core/email.ts';
import { StorageError, type StorageErrorCode } from '../core/errors.ts';
import type { Messages } from '../core/messages.ts';
import type { AnalyticsSummary } from '../core/records.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { AdminOverlay, type AdminOverlayProps } from './admin-overlay.tsx';
import { installDialog } from './dialog.fixture.ts';

/** The overlay on a page for tests. The store responds when the test calls `respond()`. */

export const ADMIN = 'Owner@Example.org';
export const NUMBERS: AnalyticsSummary = {
  unique_visitors: 1234,
  email_signups: 56,
  bounce_rate: 41.67,
  average_duration: 185,
};

/** Call at the top of a test file. */
export function overlayInTests(): void {
  installDialog();
  beforeEach(() => {
    document.documentElement.lang = 'en';
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    vi.restoreAllMocks();
  });
}

interface Setup {
  /** The store's response to `readSummary`. */
  says?: AnalyticsSummary | StorageErrorCode;
  messages?: Partial<Messages>;
  /** The adapter's `endpoint`. */
  endpoint?: string;
  props?: AdminOverlayProps;
}

/** Renders the overlay on a page with one button. `respond()` settles all waiting calls. */
export function setUp({ says = NUMBERS, messages, endpoint, props }: Setup = {}) {
  const store = { says };
  const waiting: (() => void)[] = [];
  const readSummary = vi.fn<StorageAdapter['readSummary']>(async (email) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (normalizeEmail(email) !== normalizeEmail(ADMIN)) throw new StorageError('forbidden', 'not the admin');
    if (typeof store.says === 'object') return store.says;
    throw new StorageError(store.says, 'as scripted');
  });
  const adapter = {
    createSignup: notAsked,
    sendWelcomeEmail: notAsked,
    startSession: notAsked,
    updateSession: notAsked,
    readSummary,
    endpoint,
  };
  const page = (
    <StrictMode>
      <EarlyAccessProvider adapter={adapter} messages={messages}>
        <button type="button">Elsewhere</button>
        <AdminOverlay {...props} />
      </EarlyAccessProvider>
    </StrictMode>
  );
  return {
    ...render(page),
    page,
    store,
    user: userEvent.setup(),
    readSummary,
    /** Waits for calls, then resolves them. */
    respond: async () => {
      await waitFor(() => expect(waiting).not.toHaveLength(0));
      await act(async () => {
        for (const resolve of waiting.splice(0)) resolve();
      });
    },
  };
}

export const press = () => fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, key: 'a', code: 'KeyA' });
export const dialog = (name: string) => screen.findByRole('dialog', { name });
export const field = () => screen.getByLabelText<HTMLInputElement>('Admin email');
export const box = () => screen.findByRole('region', { name: 'Analytics Overview' });
export const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;

/** Types the right address and waits for the panel. */
export async function unlock({ user, respond }: ReturnType<typeof setUp>) {
  press();
  await dialog('Admin Access');
  await user.type(field(), ` ${ADMIN} `);
  await user.click(screen.getByRole('button', { name: 'Access Analytics' }));
  await respond();
  return dialog('Analytics Overview');
}

async function notAsked(): Promise<never> {
  throw new StorageError('unavailable', 'the overlay asks for numbers only');
}
