import type { Meta, StoryObj } from '@storybook/react-vite';
import { ASKED_COOKIE } from 'early-access-server/admin-api';
import { expect, screen, waitFor } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';

/** Signing in by an emailed link, and signing out. */
const meta = {
  title: 'Dashboard/Sign-in',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { server: { signedIn: false } },
  beforeEach: () => () => localStorage.removeItem('own_visits'),
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Opens a sign-in link, in the browser that requested it or in another one. */
const openSignInLink =
  (token: string, hasAsked = true) =>
  async () => {
    location.hash = `token=${token}`;
    if (hasAsked) await cookieStore.set(ASKED_COOKIE, '1');
    return async () => {
      await cookieStore.delete(ASKED_COOKIE);
      history.replaceState(null, '', location.pathname + location.search);
    };
  };

/** The admin enters their address to get a sign-in link. */
export const SignIn: Story = {
  play: async () => {
    await expect(await screen.findByRole('heading', { name: 'Sign in to the dashboard' })).toHaveFocus();
  },
};

/** The sign-in page on a small phone. */
export const SmallPhone: Story = { globals: { viewport: { value: 'small', isRotated: false } } };

/** The text is not an email address, and the field says so. */
export const NoAddress: Story = {
  play: async ({ userEvent }) => {
    await userEvent.type(await screen.findByRole('textbox', { name: /email address/ }), 'admin{Enter}');
    await expect(await screen.findByText('Please enter a valid email address.')).toBeVisible();
    await expect(screen.getByRole('textbox')).toHaveFocus();
  },
};

/** The link was sent. The message is the same for every address. */
export const LinkOnItsWay: Story = {
  play: async ({ userEvent }) => {
    await userEvent.type(await screen.findByRole('textbox', { name: /email address/ }), 'admin@acme.example{Enter}');
    await expect(await screen.findByText(/^If this address belongs to an admin, a link is on its way/)).toBeVisible();
  },
};

/** Too many links were requested. The admin is asked to wait a minute. */
export const TooManyRequests: Story = {
  args: { server: { signedIn: false, failures: { 'POST /admin/sign-in': 429 } } },
  play: async ({ userEvent }) => {
    await userEvent.type(await screen.findByRole('textbox', { name: /email address/ }), 'admin@acme.example{Enter}');
    await expect(await screen.findByText(/wait a minute/)).toBeVisible();
  },
};

/** The token is removed from the address bar as soon as it is read. */
export const FollowLink: Story = {
  beforeEach: openSignInLink('valid'),
  play: async () => {
    await expect(await screen.findByText('New signups')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Overview' })).toHaveFocus());
    await expect(location.hash).toBe('');
    await expect(localStorage.getItem('own_visits')).toBe('ignored');
  },
};

/** A mail scanner opens links in a browser and presses buttons by script. */
export const LinkOfAnotherBrowser: Story = {
  beforeEach: openSignInLink('valid', false),
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
    await expect(screen.getByRole('alert')).toHaveTextContent('Please press the button yourself');
    await expect(shownServer().requests).not.toContain('POST /admin/session');
    await expect(location.hash).toBe('');
  },
};

/** The link was used before or has expired. The admin can request another one. */
export const UsedLink: Story = {
  beforeEach: openSignInLink('used'),
  play: async () => {
    await expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Send me a sign-in link' })).toBeVisible();
    await expect(location.hash).toBe('');
  },
};

/** A network failure does not use up the link. */
export const LinkNotTried: Story = {
  args: { server: { signedIn: false, failures: { 'POST /admin/session': 'unreachable' } } },
  beforeEach: openSignInLink('valid'),
  play: async () => {
    await expect(await screen.findByRole('button', { name: 'Try the link again' })).toBeVisible();
  },
};

/** The server cannot be reached, so the dashboard does not open. */
export const ServerUnreachable: Story = {
  args: { server: { failures: { 'GET /admin/session': 'unreachable', 'GET /brand': 'unreachable' } } },
  play: async () => {
    await expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot be reached');
  },
};
