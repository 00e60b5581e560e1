import type { Meta, StoryObj } from '@storybook/react-vite';
import { type Messages, SignupForm } from 'early-access-kit';
import { type MemoryScript, memoryAdapter } from 'early-access-kit/adapters/memory';
import { StorageError } from 'early-access-kit/core';
import { expect, fn, waitFor } from 'storybook/test';
import { announcements, button, type Canvas, field, keepToast, readDescription } from '../../stories/form-on-screen.ts';
import { ADDRESS, LONG_ADDRESS } from '../../stories/form-states.ts';
import { onPage, provideStore } from '../../stories/on-page.tsx';
import { ServerRendered } from '../../stories/server-rendered.tsx';
import { getLanguage, getTexts } from '../../stories/texts.ts';

/**
 * The early-access signup form in each of its states, reached as a visitor would. Toasts report success, duplicates and
 * failures; the form itself explains an invalid address, or blocks it silently.
 */
const meta = {
  title: 'Widgets/Signup form',
  component: SignupForm,
  decorators: [onPage],
  args: {
    // The stories fill in the form faster than a human can.
    botGuard: false,
    errors: 'inline',
    source: 'landing_page',
    toasts: true,
    disabled: false,
    onOutcome: fn(),
  },
  argTypes: { errors: { control: 'radio', options: ['inline', 'none'] } },
} satisfies Meta<typeof SignupForm>;

export default meta;

type Story = StoryObj<typeof meta>;

/** A store that follows the story's script. */
const scripted = (script: MemoryScript) => provideStore(() => memoryAdapter({ script }));

async function expectIdle(canvas: Canvas, t: Messages, address: string): Promise<void> {
  await waitFor(() => expect(button(canvas, t)).toBeEnabled());
  await expect(field(canvas, t)).toHaveValue(address);
  await expect(field(canvas, t)).toHaveFocus();
}

export const Idle: Story = {
  play: async ({ canvas, globals }) => {
    const t = getTexts(globals);
    await waitFor(() => expect(button(canvas, t)).toBeEnabled());
    await expect(field(canvas, t)).toHaveValue('');
    await expect(field(canvas, t)).toBeRequired();
    await expect(announcements()).toBeEmptyDOMElement();
  },
};

/** The focus ring is the kit's own, so that it shows on any host. */
export const Focused: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.tab();
    await expect(field(canvas, t)).toHaveFocus();
    await expect(getComputedStyle(field(canvas, t))).toHaveProperty('outlineStyle', 'solid');
  },
};

export const Filled: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), ADDRESS);
    await expect(field(canvas, t)).toHaveValue(ADDRESS);
    await expect(field(canvas, t)).toBeValid();
  },
};

/** The form explains an invalid address until the next keystroke. */
export const Invalid: Story = {
  play: async ({ canvas, userEvent, args, globals }) => {
    const t = getTexts(globals);
    const explanation = canvas.getByText('', { selector: '.eak-form__error' });
    await expect(explanation).toHaveAttribute('aria-live', 'polite');
    await userEvent.type(field(canvas, t), 'ada.example.org{Enter}');
    await expect(explanation).toBeVisible();
    await expect(readDescription(field(canvas, t))).toBe(t.invalidEmail);
    await expect(field(canvas, t)).toHaveAttribute('aria-invalid', 'true');
    await expect(field(canvas, t)).toHaveFocus();
    await expect(args.onOutcome).toHaveBeenCalledWith('invalid', undefined);
  },
};

/** A form without error messages only marks the field. */
export const InvalidWithoutMessage: Story = {
  args: { errors: 'none' },
  play: async ({ canvas, userEvent, args, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), 'ada.example.org{Enter}');
    await expect(args.onOutcome).toHaveBeenCalledWith('invalid', undefined);
    await expect(canvas.queryByText(t.invalidEmail)).toBeNull();
    await expect(field(canvas, t)).toHaveAttribute('aria-invalid', 'true');
    await expect(announcements()).toBeEmptyDOMElement();
    await expect(button(canvas, t)).toBeEnabled();
  },
};

/** The store never responds, so the state does not change. */
export const Submitting: Story = {
  parameters: scripted({ createSignup: { delay: 'forever' } }),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await expect(canvas.getByRole('button', { name: t.submitting })).toBeDisabled();
    await expect(field(canvas, t)).toHaveAttribute('readonly');
    await expect(field(canvas, t).form).toHaveAttribute('aria-busy', 'true');
  },
};

export const Success: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    const title = await canvas.findByText(t.successTitle);
    await expect(title).toBeVisible();
    await expect(canvas.getByText(t.successText)).toBeVisible();
    await waitFor(() => expect(title.parentElement).toHaveFocus());
    await keepToast(t.signupSucceeded);
  },
};

/**
 * With `--eak-form-after-success: none`, the success message only takes its own height, so the content below the form
 * moves up.
 */
export const SuccessWithoutHeight: Story = {
  args: { className: 'without-height' },
  render: (args) => (
    <>
      <style>{'.without-height { --eak-form-after-success: none; }'}</style>
      <SignupForm {...args} />
    </>
  ),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    const input = field(canvas, t);
    await userEvent.type(input, `${ADDRESS}{Enter}`);
    await expect(await canvas.findByText(t.successTitle)).toBeVisible();
    await expect(input.getClientRects()).toHaveLength(0);
    await keepToast(t.signupSucceeded);
  },
};

/** The address is already signed up. Its spelling may differ. */
export const Duplicate: Story = {
  parameters: scripted({ createSignup: { duplicate: true } }),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), 'Ada@Example.org{Enter}');
    await keepToast(t.duplicateEmail);
    await expectIdle(canvas, t, 'Ada@Example.org');
  },
};

/** The typed address stays in the field. */
export const Failure: Story = {
  parameters: scripted({ createSignup: { fail: 'unavailable' } }),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await keepToast(t.signupFailed);
    await expectIdle(canvas, t, ADDRESS);
  },
};

/** Too many attempts from one IP address. All failures show the same message. */
export const RateLimited: Story = {
  ...Failure,
  parameters: scripted({
    createSignup: { fail: new StorageError('rate-limited', 'too many signups', { retryAfter: 60 }) },
  }),
};

/** No network. All failures show the same message. */
export const Offline: Story = {
  ...Failure,
  parameters: scripted({ every: { offline: true } }),
};

/** The list requires confirmed addresses. The texts and the link to the visitor's webmail come from the server. */
export const CheckYourInbox: Story = {
  parameters: scripted({ createSignup: { pending: true } }),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), 'ada@gmail.com{Enter}');
    await expect((await canvas.findByText('Check your inbox')).closest('[role=group]')).toHaveAttribute('data-pending');
    await expect(canvas.getByRole('link', { name: 'Open your inbox' })).toHaveAttribute(
      'href',
      'https://mail.google.com/mail/',
    );
    await keepToast(t.signupSucceeded);
  },
};

/** Before the list opens, or after it closes. */
export const Disabled: Story = {
  args: { disabled: true },
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await expect(field(canvas, t)).toBeDisabled();
    await expect(button(canvas, t)).toBeDisabled();
    await userEvent.tab();
    await expect(document.body).toHaveFocus();
  },
};

/** The field starts with an address that the host knows, so pressing the button is enough. */
export const Prefilled: Story = {
  args: { defaultValue: ADDRESS },
  play: async ({ canvas, globals }) => {
    const t = getTexts(globals);
    await expect(field(canvas, t)).toHaveValue(ADDRESS);
    await waitFor(() => expect(button(canvas, t)).toBeEnabled());
  },
};

/** An address of 254 characters, the maximum, scrolls in its field without moving anything. */
export const VeryLongAddress: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    const width = button(canvas, t).getBoundingClientRect().width;
    await userEvent.click(field(canvas, t));
    await userEvent.paste(LONG_ADDRESS);
    await expect(field(canvas, t)).toHaveValue(LONG_ADDRESS);
    await expect(field(canvas, t)).toBeValid();
    await expect(button(canvas, t).getBoundingClientRect().width).toBe(width);
    // Browsers scroll to the cursor while typing.
    field(canvas, t).scrollLeft = field(canvas, t).scrollWidth;
    await expect(field(canvas, t).scrollLeft).toBeGreaterThan(0);
    await expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
  },
};

/** The form as the server renders it, before any script has run. With an `action` it already works. */
export const WithoutScripts: Story = {
  args: { action: '/api/signup-form' },
  render: (form, { globals }) => <ServerRendered form={form} language={getLanguage(globals)} />,
  play: async ({ canvas, globals }) => {
    const t = getTexts(globals);
    await expect(button(canvas, t)).toBeEnabled();
    const { form } = field(canvas, t);
    await expect(form).toHaveAttribute('method', 'post');
    await expect(form).toHaveAttribute('action', '/api/signup-form');
    // The browser's own validation replaces the kit's.
    await expect(form).not.toHaveAttribute('novalidate');
  },
};

/**
 * Without an `action` the form has nowhere to post. The button is disabled until the scripts run, so that an address
 * never ends up in a URL.
 */
export const WithoutScriptsNorAction: Story = {
  ...WithoutScripts,
  args: {},
  play: async ({ canvas, globals }) => {
    const t = getTexts(globals);
    await expect(button(canvas, t)).toBeDisabled();
    await expect(field(canvas, t).form).toHaveAttribute('method', 'post');
  },
};
