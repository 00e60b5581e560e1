import type { Meta, StoryObj } from '@storybook/react-vite';
import { AdminOverlay, EarlyAccessProvider, type StorageAdapter } from 'early-access-kit';
import { type MemoryStore, memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { INITIAL_TOTALS, StorageError, toSessionRecord } from 'early-access-kit/core';
import { useState } from 'react';
import { expect, fireEvent, screen, waitFor } from 'storybook/test';

const OWNER = 'owner@example.org';
const NOW = Date.UTC(2025, 5, 1);

/** 1,248 visits of as many visitors, every third of them a bounce, and 86 signups. */
function busyStore(): MemoryStore {
  const store = memoryStore();
  for (let number = 0; number < 1248; number += 1) {
    const start = {
      id: `visit-${number}`,
      visitor_id: `visitor-${number}`,
      session_start: NOW - number * 60_000,
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
  for (let number = 0; number < 86; number += 1) {
    const email = `artist-${number}@example.org`;
    const signup = { email, session_id: null, source: 'landing_page', referrer: null };
    store.signups.set(email, { ...signup, submission_id: `submission-${number}`, created_at: NOW });
  }
  return store;
}

const answering = (store: MemoryStore) => memoryAdapter({ adminEmail: OWNER, store, now: () => NOW });
const silent = () => memoryAdapter({ before: () => new Promise(() => {}) });
const down = () =>
  memoryAdapter({
    before: () => {
      throw new StorageError('unavailable', 'the store is down');
    },
  });

interface OwnersPageProps {
  /** A store of its own for each showing. */
  createAdapter: () => StorageAdapter;
}

function OwnersPage({ createAdapter }: OwnersPageProps) {
  const [adapter] = useState(createAdapter);
  return (
    <EarlyAccessProvider adapter={adapter}>
      <main style={{ minBlockSize: '34rem' }}>
        <h1>A landing page</h1>
        <p>The overlay lies on top of it. Press Ctrl+Alt+A.</p>
      </main>
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}

/** The owner's numbers, from the locked page to the panel. Every state is reached as the owner reaches it. */
const meta = {
  title: 'AdminOverlay',
  component: OwnersPage,
  args: { createAdapter: () => answering(busyStore()) },
  argTypes: { createAdapter: { control: false } },
  // The address in the browser's storage is shared by all stories.
  beforeEach: () => localStorage.removeItem('adminEmail'),
} satisfies Meta<typeof OwnersPage>;

export default meta;

type Story = StoryObj<typeof meta>;

const returning = () => localStorage.setItem('adminEmail', OWNER);
/** Presses again until it helps: a play function may start before the page listens. */
const openAccessDialog = () =>
  waitFor(async () => {
    await fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, code: 'KeyA', key: 'a' });
    await expect(screen.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
  });
const dialog = (name: string) => screen.findByRole('dialog', { name });
const box = () => screen.findByRole('region', { name: 'Analytics Overview' });

export const AccessDialog: Story = {
  play: async () => {
    await openAccessDialog();
    await expect(screen.getByLabelText('Admin email')).toHaveFocus();
    await expect(screen.getByRole('alert')).toHaveTextContent('');
  },
};

export const WrongAddress: Story = {
  play: async ({ userEvent }) => {
    await openAccessDialog();
    await userEvent.type(screen.getByLabelText('Admin email'), 'visitor@example.org');
    await userEvent.click(screen.getByRole('button', { name: 'Access Analytics' }));
    await expect(await screen.findByText('Invalid admin email')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Admin email')).toHaveFocus());
    await expect(localStorage.getItem('adminEmail')).toBeNull();
  },
};

export const AccessUnreachable: Story = {
  args: { createAdapter: down },
  play: async ({ userEvent }) => {
    await openAccessDialog();
    await userEvent.type(screen.getByLabelText('Admin email'), `${OWNER}{Enter}`);
    await expect(await screen.findByText(/^The address could not be checked/)).toBeVisible();
  },
};

export const AccessChecking: Story = {
  args: { createAdapter: silent },
  play: async ({ userEvent }) => {
    await openAccessDialog();
    await userEvent.type(screen.getByLabelText('Admin email'), `${OWNER}{Enter}`);
    await expect(await screen.findByRole('button', { name: 'Checking…' })).toBeVisible();
  },
};

/** Shown where the numbers keep the owner waiting. */
export const CounterBoxLoading: Story = {
  args: { createAdapter: silent },
  beforeEach: returning,
  play: async () => {
    await expect(await box()).toHaveTextContent('Unique Visitors … Email Signups …');
  },
};

export const CounterBox: Story = {
  beforeEach: returning,
  play: async () => {
    await waitFor(async () => expect(await box()).toHaveTextContent('Unique Visitors 1,248 Email Signups 86'));
  },
};

export const CounterBoxUnreachable: Story = {
  args: { createAdapter: down },
  beforeEach: returning,
  play: async () => {
    await waitFor(async () => expect(await box()).toHaveTextContent('Unique Visitors – Email Signups –'));
    await expect(localStorage.getItem('adminEmail')).toBe(OWNER);
  },
};

export const Panel: Story = {
  play: async ({ userEvent }) => {
    await openAccessDialog();
    await userEvent.type(screen.getByLabelText('Admin email'), `${OWNER}{Enter}`);
    const panel = await dialog('Analytics Overview');
    await expect(panel).toHaveTextContent('1,248');
    await expect(panel).toHaveTextContent('33.33%');
    await expect(localStorage.getItem('adminEmail')).toBe(OWNER);
  },
};

export const PanelLoading: Story = {
  args: { createAdapter: silent },
  beforeEach: returning,
  play: async ({ userEvent }) => {
    await box();
    await userEvent.click(await screen.findByRole('button', { name: /Unique Visitors/ }));
    await expect(await dialog('Analytics Overview')).toHaveTextContent('Loading the numbers…');
  },
};

export const PanelEmpty: Story = {
  args: { createAdapter: () => answering(memoryStore()) },
  beforeEach: returning,
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Unique Visitors 0 Email Signups 0' }));
    await expect(await dialog('Analytics Overview')).toHaveTextContent('No visits and no signups yet');
  },
};

export const PanelUnreachable: Story = {
  args: { createAdapter: down },
  beforeEach: returning,
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Unique Visitors – Email Signups –' }));
    const panel = await dialog('Analytics Overview');
    await waitFor(() => expect(panel).toHaveTextContent('The numbers cannot be reached right now.'));
    await expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  },
};

/** The focus goes back to the box that opened the panel, and after the logout nothing of the overlay is left. */
export const ClosedAndLoggedOut: Story = {
  beforeEach: returning,
  play: async ({ userEvent }) => {
    const button = await screen.findByRole('button', { name: 'Unique Visitors 1,248 Email Signups 86' });
    await userEvent.click(button);
    await dialog('Analytics Overview');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await expect(button).toHaveFocus();
    await userEvent.click(button);
    await dialog('Analytics Overview');
    await userEvent.click(screen.getByRole('button', { name: 'Admin Logout' }));
    await waitFor(() => expect(document.querySelector('.eak-counter, dialog')).toBeNull());
    await expect(localStorage.getItem('adminEmail')).toBeNull();
  },
};
