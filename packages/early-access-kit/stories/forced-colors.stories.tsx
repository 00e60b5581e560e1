import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { expect, screen, waitFor } from 'storybook/test';
import {
  AdminPage,
  adminField,
  busy,
  counter,
  locked,
  openAccessDialog,
  panel,
  remembered,
  withAdmin,
} from './admin-page.tsx';
import { button, field, keepToast } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { onPage, provideStore } from './on-page.tsx';
import { formatNumber, getTexts } from './texts.ts';

/**
 * Forced colors. A page cannot enable this mode. It is a setting of the system (contrast themes on Windows) or of the browser's developer
 * tools (Rendering, forced-colors). The browser tests enable it.
 */
const meta = {
  title: 'Conditions/Forced colors',
  decorators: [onPage],
} satisfies Meta;

export default meta;

type Story = StoryObj<typeof meta>;

/** An invalid field with the focus, and a toast. */
export const SignupFormForced: Story = {
  name: 'Signup form',
  parameters: { ...provideStore(() => memoryAdapter({ script: { createSignup: { duplicate: true } } })) },
  render: () => <SignupForm botGuard={false} />,
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await keepToast(t.duplicateEmail);
    await waitFor(() => expect(button(canvas, t)).toBeEnabled());
    await userEvent.clear(field(canvas, t));
    await userEvent.type(field(canvas, t), 'ada{Enter}');
    await waitFor(() => expect(field(canvas, t)).toHaveAttribute('aria-invalid', 'true'));
    await expect(field(canvas, t)).toHaveFocus();
  },
};

/** A wrong address, with the focus on its field. */
export const AccessDialogForced: Story = {
  name: 'Access dialog',
  parameters: { ...withAdmin(busy) },
  beforeEach: locked,
  render: () => <AdminPage />,
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await userEvent.type(adminField(t), 'visitor@example.org{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(t.accessInvalid));
    await waitFor(() => expect(adminField(t)).toHaveFocus());
  },
};

export const AnalyticsPanelForced: Story = {
  name: 'Analytics panel',
  parameters: { ...withAdmin(busy) },
  beforeEach: remembered,
  render: () => <AdminPage />,
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86)));
    await expect(await panel(t)).toHaveTextContent(formatNumber(globals, 1248));
  },
};

export const CounterBoxForced: Story = {
  name: 'Counter box',
  parameters: { ...withAdmin(busy) },
  beforeEach: remembered,
  render: () => <AdminPage />,
  play: async ({ globals }) => {
    const box = await counter(getTexts(globals), formatNumber(globals, 1248), formatNumber(globals, 86));
    box.focus();
    await expect(box).toHaveFocus();
  },
};
