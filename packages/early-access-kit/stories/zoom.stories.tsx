import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { expect, waitFor } from 'storybook/test';
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
import { ADDRESS, FIELDS, LONG_ADDRESS } from './form-states.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { onPage } from './on-page.tsx';
import { formatNumber, getTexts } from './texts.ts';

/**
 * A window of 1280 by 1024 pixels at 400% zoom: 320 by 256. Everything is in one column, nothing is cut off, and nothing scrolls
 * horizontally.
 */
const meta = {
  title: 'Conditions/Zoom',
  decorators: [onPage],
  parameters: { ...withAdmin(busy) },
  globals: { viewport: { value: 'zoom', isRotated: false } },
} satisfies Meta;

export default meta;

type Story = StoryObj<typeof meta>;

export const SignupFormZoomed: Story = {
  name: 'Signup form',
  render: () => <SignupForm botGuard={false} />,
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), 'ada{Enter}');
    await waitFor(() => expect(canvas.getByText(t.invalidEmail)).toBeVisible());
    await expectNoSidewaysScroll();
    await userEvent.clear(field(canvas, t));
    await userEvent.click(field(canvas, t));
    await userEvent.paste(LONG_ADDRESS);
    await expectNoSidewaysScroll();
  },
};

export const SuccessZoomed: Story = {
  ...SignupFormZoomed,
  name: 'Success and toast',
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await keepToast(t.signupSucceeded);
    await expectNoSidewaysScroll();
  },
};

export const FieldsZoomed: Story = {
  name: 'Signup form with fields',
  render: () => <SignupForm botGuard={false} fields={FIELDS} />,
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(button(canvas, t));
    await waitFor(() => expect(canvas.getByText(t.checkboxRequired)).toBeVisible());
    await expect(field(canvas, t)).toHaveFocus();
    await expectNoSidewaysScroll();
  },
};

export const AccessDialogZoomed: Story = {
  name: 'Access dialog',
  beforeEach: locked,
  render: () => <AdminPage />,
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    await userEvent.type(adminField(t), 'visitor@example.org');
    await expectNoSidewaysScroll();
    await expectInWindow(adminField(t).closest('dialog'));
  },
};

export const AnalyticsPanelZoomed: Story = {
  name: 'Analytics panel',
  beforeEach: remembered,
  render: () => <AdminPage />,
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    const box = await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86));
    await expectNoSidewaysScroll();
    await userEvent.click(box);
    const dialog = await panel(t);
    await expectNoSidewaysScroll();
    await expectInWindow(dialog);
  },
};

/** Expects that a dialog taller than the window scrolls vertically and never horizontally. */
async function expectInWindow(dialog: HTMLElement | null): Promise<void> {
  if (!dialog) throw new Error('there is no dialog');
  const { top, bottom } = dialog.getBoundingClientRect();
  await expect(top).toBeGreaterThanOrEqual(0);
  await expect(bottom).toBeLessThanOrEqual(window.innerHeight);
  await expect(dialog.scrollWidth).toBeLessThanOrEqual(dialog.clientWidth);
}
