import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { signupFields } from 'early-access-kit/fields';
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
import { expectNoSidewaysScroll } from './layout.ts';
import { onPage, provideStore } from './on-page.tsx';
import { formatNumber, getTexts } from './texts.ts';

/** Arabic, from right to left: the start of a line is on the right, and the counter box is on the left. */
const meta = {
  title: 'Conditions/Right to left',
  decorators: [onPage],
  globals: { locale: 'ar', direction: 'auto' },
} satisfies Meta;

export default meta;

type Story = StoryObj<typeof meta>;

export const SignupFormMirrored: Story = {
  name: 'Signup form',
  parameters: { ...provideStore(() => memoryAdapter({ script: { createSignup: { duplicate: true } } })) },
  render: () => <SignupForm botGuard={false} />,
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    const [input, submit] = [field(canvas, t), button(canvas, t)];
    await expect(getComputedStyle(canvas.getByText(t.emailLabel)).direction).toBe('rtl');
    await expect(submit.getBoundingClientRect().right).toBeLessThan(input.getBoundingClientRect().left);
    await userEvent.type(input, `${ADDRESS}{Enter}`);
    await keepToast(t.duplicateEmail);
    const [text, dismiss] = [screen.getByText(t.duplicateEmail), screen.getByRole('button', { name: t.dismissToast })];
    await expect(dismiss.getBoundingClientRect().right).toBeLessThanOrEqual(text.getBoundingClientRect().left);
    await expectNoSidewaysScroll();
  },
};

const SHOP = 'رابط المتجر';
const FIELDS = signupFields({ shop: { type: 'url', label: SHOP, placeholder: 'shop.example.com' } });

/** Addresses are written from left to right, and begin where the line of an empty field does. */
export const AddressFieldsMirrored: Story = {
  name: 'Address fields',
  render: () => <SignupForm botGuard={false} fields={FIELDS} />,
  play: async ({ canvas, globals }) => {
    for (const input of [field(canvas, getTexts(globals)), canvas.getByLabelText(new RegExp(`^${SHOP}`))]) {
      const { direction, textAlign } = getComputedStyle(input);
      await expect({ direction, textAlign }).toEqual({ direction: 'ltr', textAlign: 'right' });
    }
  },
};

export const AccessDialogMirrored: Story = {
  name: 'Access dialog',
  parameters: { ...withAdmin(busy) },
  beforeEach: locked,
  render: () => <AdminPage />,
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await openAccessDialog(t);
    const [title, close] = [
      screen.getByRole('heading', { name: t.accessTitle }),
      screen.getByRole('button', { name: t.close }),
    ];
    await expect(close.getBoundingClientRect().right).toBeLessThan(title.getBoundingClientRect().right);
    await userEvent.type(adminField(t), 'visitor@example.org{Enter}');
    const alert = screen.getByRole('alert');
    await waitFor(() => expect(alert).toHaveTextContent(t.accessInvalid));
    // An address is written from left to right in every language.
    await expect(getComputedStyle(adminField(t)).direction).toBe('ltr');
    await expect(getComputedStyle(alert).direction).toBe('rtl');
    await expectNoSidewaysScroll();
  },
};

export const AnalyticsPanelMirrored: Story = {
  name: 'Analytics panel',
  parameters: { ...withAdmin(busy) },
  beforeEach: remembered,
  render: () => <AdminPage />,
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    const box = await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86));
    const { left, right } = box.getBoundingClientRect();
    await expect(left).toBeLessThan(window.innerWidth - right);
    await userEvent.click(box);
    const dialog = await panel(t);
    const [title, close] = [
      screen.getByRole('heading', { name: t.overviewTitle }),
      screen.getByRole('button', { name: t.close }),
    ];
    await expect(close.getBoundingClientRect().right).toBeLessThan(title.getBoundingClientRect().right);
    await waitFor(() => expect(dialog).toHaveTextContent(formatNumber(globals, 1248)));
    await expectNoSidewaysScroll();
  },
};
