import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';
import { fakeAuthenticator } from '../testing/passkeys.fixture.ts';

/** Passkeys in the settings, signing in with a passkey, and signing out everywhere. */
const meta = {
  title: 'Dashboard/Passkeys',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=settings' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The browser's question was cancelled or took too long. */
export const Cancelled: Story = {
  beforeEach: () => fakeAuthenticator('NotAllowedError'),
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add passkey' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Phone{Enter}');
    await expect(await screen.findByText(/^It was canceled or took too long/)).toBeVisible();
  },
};

/** A passkey is renamed. */
export const Rename: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Rename Laptop…' }));
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Old laptop{Enter}');
    await expect(await screen.findByText('Old laptop')).toBeVisible();
  },
};

/** The list of passkeys on a phone. */
export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

/** The dashboard was opened at an IP address, where passkeys do not work. */
export const WithoutDomain: Story = {
  args: { server: { isEmpty: true, hasPasskeys: false } },
  play: async () => {
    await expect(await screen.findByText(/^Passkeys need a domain/)).toBeVisible();
    await expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
  },
};

/** Signing in with a passkey opens the dashboard. */
export const SignIn: Story = {
  args: { search: '', server: { signedIn: false } },
  beforeEach: () => {
    const restore = fakeAuthenticator();
    return () => {
      restore();
      localStorage.removeItem('own_visits');
    };
  },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await expect(await screen.findByText('New signups')).toBeVisible();
    await expect(localStorage.getItem('own_visits')).toBe('ignored');
  },
};

/** The server does not know the passkey. The admin can sign in with a link. */
export const SignInRefused: Story = {
  args: { search: '', server: { signedIn: false, failures: { 'POST /admin/passkey-sign-in': 401 } } },
  beforeEach: () => fakeAuthenticator(),
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await expect(await screen.findByText('This passkey does not work here. Sign in with a link.')).toBeVisible();
  },
};

/** Every browser is signed out, including this one. */
export const SignOutEverywhere: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    await expect(await screen.findByRole('heading', { name: 'Sign in to the dashboard' })).toBeVisible();
  },
};
