import type { Meta, StoryObj } from '@storybook/react-vite';
import { AdminOverlay } from 'early-access-kit';
import { expect, screen, waitFor } from 'storybook/test';
import {
  ADMIN,
  AdminPage,
  adminField,
  busy,
  counter,
  locked,
  openAccessDialog,
  panel,
  withAdmin,
} from './admin-page.tsx';
import { onPage } from './on-page.tsx';
import { formatNumber, getTexts } from './texts.ts';

/** How an admin uses the overlay with the keyboard, and where the focus goes. */
const meta = {
  title: 'Flows/Reading the figures',
  component: AdminOverlay,
  decorators: [onPage],
  // An object literal, because Storybook extends a literal but replaces any other expression.
  parameters: { ...withAdmin(busy) },
  beforeEach: locked,
  render: () => <AdminPage />,
} satisfies Meta<typeof AdminOverlay>;

export default meta;

type Story = StoryObj<typeof meta>;

const stored = () => localStorage.getItem('adminEmail');
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

export const UnlockThenLogOut: Story = {
  name: 'Unlock, then log out',
  play: async ({ userEvent, globals, step }) => {
    const t = getTexts(globals);
    await step('A wrong address shows an alert and can be corrected at once', async () => {
      await openAccessDialog(t);
      const alert = screen.getByRole('alert');
      await userEvent.keyboard('visitor@example.org{Enter}');
      await waitFor(() => expect(alert).toHaveTextContent(t.accessInvalid));
      await waitFor(() => expect(adminField(t)).toHaveFocus());
      await expect(stored()).toBeNull();
    });
    await step('The right address opens the panel and is stored', async () => {
      await userEvent.clear(adminField(t));
      await userEvent.type(adminField(t), `${ADMIN}{Enter}`);
      await expect(await panel(t)).toHaveTextContent(formatNumber(globals, 1248));
      await expect(stored()).toBe(ADMIN);
    });
    await step('The counter box remains after the panel is closed, and opens it again', async () => {
      await userEvent.click(screen.getByRole('button', { name: t.close }));
      await noDialog();
      const box = await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86));
      await userEvent.click(box);
      await panel(t);
      await userEvent.click(screen.getByRole('button', { name: t.close }));
      await noDialog();
      await expect(box).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await panel(t);
    });
    await step('After logout, nothing of the overlay is left', async () => {
      await userEvent.click(screen.getByRole('button', { name: t.logout }));
      await waitFor(() => expect(document.querySelector('.eak-counter, dialog')).toBeNull());
      await expect(stored()).toBeNull();
    });
  },
};

export const UnreachableThenBack: Story = {
  name: 'Unreachable, then back',
  parameters: withAdmin(busy, { readSummary: [{ offline: true }, {}] }),
  play: async ({ userEvent, globals, step }) => {
    const t = getTexts(globals);
    await step('An unreachable store is not reported as a wrong address', async () => {
      await openAccessDialog(t);
      await userEvent.type(adminField(t), `${ADMIN}{Enter}`);
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(t.accessUnavailable));
    });
    await step('The next attempt succeeds', async () => {
      await waitFor(() => expect(adminField(t)).toHaveFocus());
      await userEvent.keyboard('{Enter}');
      await expect(await panel(t)).toHaveTextContent(formatNumber(globals, 86));
    });
  },
};

/** The focus returns to where it was. */
export const Closed: Story = {
  play: async ({ globals, userEvent, canvas }) => {
    const t = getTexts(globals);
    const link = canvas.getByRole('link');
    link.focus();
    await openAccessDialog(t);
    await expect(adminField(t)).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: t.close }));
    await noDialog();
    await expect(link).toHaveFocus();
  },
};
