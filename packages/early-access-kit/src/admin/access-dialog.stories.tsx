import type { Meta, StoryObj } from '@storybook/react-vite';
import { AdminOverlay } from 'early-access-kit';
import { expect, screen, waitFor } from 'storybook/test';
import { ADMIN, AdminPage, adminField, busy, locked, openAccessDialog, withAdmin } from '../../stories/admin-page.tsx';
import { readDescription } from '../../stories/form-on-screen.ts';
import { onPage } from '../../stories/on-page.tsx';
import { getTexts } from '../../stories/texts.ts';

/**
 * Ctrl+Alt+A asks for the admin email. Only the store checks it, never the page. Wrong addresses and unreachable stores
 * show different alerts.
 */
const meta = {
  title: 'Widgets/Access dialog',
  component: AdminOverlay,
  decorators: [onPage],
  parameters: { ...withAdmin(busy), docs: { story: { inline: false, height: '24rem' } } },
  argTypes: { dashboardUrl: { control: 'text' } },
  beforeEach: locked,
  render: (overlay) => <AdminPage {...overlay} />,
} satisfies Meta<typeof AdminOverlay>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Empty: Story = {
  play: async ({ globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await expect(adminField(t)).toHaveFocus();
    await expect(adminField(t)).toHaveValue('');
    await expect(adminField(t)).toBeRequired();
    // The alert is in the page before its first message, so that it is announced.
    await expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  },
};

export const Typing: Story = {
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await userEvent.type(adminField(t), 'admin@exam');
    await expect(adminField(t)).toHaveValue('admin@exam');
    await expect(screen.getByRole('button', { name: t.accessSubmit })).toBeEnabled();
    await expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  },
};

export const WrongAddress: Story = {
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await userEvent.type(adminField(t), 'visitor@example.org');
    await userEvent.click(screen.getByRole('button', { name: t.accessSubmit }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(t.accessInvalid));
    await expect(readDescription(adminField(t))).toBe(t.accessInvalid);
    await expect(adminField(t)).toHaveAttribute('aria-invalid', 'true');
    await waitFor(() => expect(adminField(t)).toHaveFocus());
    await expect(localStorage.getItem('adminEmail')).toBeNull();
  },
};

/** The store never responds, so the state does not change. The button keeps the focus. */
export const Checking: Story = {
  parameters: withAdmin(busy, { readSummary: { delay: 'forever' } }),
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await userEvent.type(adminField(t), ADMIN);
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    const button = await screen.findByRole('button', { name: t.accessChecking });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toHaveFocus();
  },
};

export const Unreachable: Story = {
  parameters: withAdmin(busy, { readSummary: { offline: true } }),
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await userEvent.type(adminField(t), `${ADMIN}{Enter}`);
    const alert = screen.getByRole('alert');
    await waitFor(() => expect(alert).toHaveTextContent(t.accessUnavailable));
    await expect(adminField(t)).toHaveValue(ADMIN);
    await waitFor(() => expect(adminField(t)).toHaveFocus());
  },
};
