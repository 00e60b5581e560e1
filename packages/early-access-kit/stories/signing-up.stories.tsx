import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { type MemoryScript, type MemoryStore, memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { expect, fn, waitFor } from 'storybook/test';
import { announcements, button, field, keepToast, readDescription } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { closedGate } from './gate.ts';
import { onPage, provideStore } from './on-page.tsx';
import { getTexts } from './texts.ts';

/** Signing up from the first keystroke to success, with the keyboard, and with what screen readers announce. */
const meta = {
  title: 'Flows/Signing up',
  component: SignupForm,
  decorators: [onPage],
  args: { botGuard: false, errors: 'inline', disabled: false, onOutcome: fn() },
} satisfies Meta<typeof SignupForm>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The store of the story's page, read by its play function; created anew each time the story is shown. */
let store: MemoryStore;
const scripted = (script?: () => MemoryScript) =>
  provideStore(() => {
    store = memoryStore();
    return memoryAdapter({ store, script: script?.() });
  });

let gate = closedGate();

export const TypeSubmitToastSuccess: Story = {
  name: 'Type, submit, toast, success',
  parameters: scripted(() => {
    gate = closedGate();
    return { createSignup: { delay: gate.opened } };
  }),
  play: async ({ canvas, userEvent, globals, args, step }) => {
    const t = getTexts(globals);
    const region = announcements();
    await step('Tab reaches the field first, then the button', async () => {
      await userEvent.tab();
      await expect(field(canvas, t)).toHaveFocus();
      await userEvent.keyboard(ADDRESS);
      await userEvent.tab();
      await expect(button(canvas, t)).toHaveFocus();
    });
    await step('While the form submits, the button says so and nothing is announced yet', async () => {
      await userEvent.keyboard('{Enter}');
      await expect(await canvas.findByRole('button', { name: t.submitting })).toBeDisabled();
      await expect(field(canvas, t).form).toHaveAttribute('aria-busy', 'true');
      await expect(region).toBeEmptyDOMElement();
    });
    await step('Success is shown, takes the focus and is announced in the region that already existed', async () => {
      gate.open();
      const title = await canvas.findByText(t.successTitle);
      await waitFor(() => expect(title.parentElement).toHaveFocus());
      await expect(title.parentElement).toHaveTextContent(t.successText);
      await keepToast(t.signupSucceeded, region);
      await expect(region).toHaveAttribute('aria-live', 'polite');
      await expect(canvas.queryByRole('textbox')).toBeNull();
    });
    await step('One signup is stored, and one welcome email was requested', async () => {
      await expect([...store.signups.keys()]).toEqual([ADDRESS]);
      await waitFor(() => expect(store.welcomed).toEqual([ADDRESS]));
      await expect(args.onOutcome).toHaveBeenCalledTimes(1);
      await expect(args.onOutcome).toHaveBeenCalledWith('created', undefined);
    });
  },
};

export const FailureThenRecovery: Story = {
  name: 'Failure, then recovery',
  parameters: scripted(() => ({ createSignup: [{ offline: true }, {}] })),
  play: async ({ canvas, userEvent, globals, step }) => {
    const t = getTexts(globals);
    await step('Offline, the failure is announced, and the field keeps the address and the focus', async () => {
      await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
      await waitFor(() => expect(announcements()).toHaveTextContent(t.signupFailed));
      await waitFor(() => expect(field(canvas, t)).toHaveFocus());
      await expect(field(canvas, t)).toHaveValue(ADDRESS);
      await expect(store.signups.size).toBe(0);
    });
    await step('Back online, submitting again succeeds', async () => {
      await userEvent.keyboard('{Enter}');
      await expect(await canvas.findByText(t.successTitle)).toBeVisible();
      await keepToast(t.signupSucceeded);
      await expect([...store.signups.keys()]).toEqual([ADDRESS]);
    });
  },
};

export const InvalidThenCorrected: Story = {
  name: 'Invalid, then corrected',
  parameters: scripted(),
  play: async ({ canvas, userEvent, globals, step }) => {
    const t = getTexts(globals);
    await step('The field is described by the error and keeps the focus', async () => {
      await userEvent.type(field(canvas, t), 'ada{Enter}');
      await waitFor(() => expect(field(canvas, t)).toHaveAttribute('aria-invalid', 'true'));
      await expect(readDescription(field(canvas, t))).toBe(t.invalidEmail);
      await expect(field(canvas, t)).toHaveFocus();
      await expect(store.signups.size).toBe(0);
    });
    await step('The next keystroke removes the error', async () => {
      await userEvent.keyboard('@');
      await expect(field(canvas, t)).toHaveAttribute('aria-invalid', 'false');
      await expect(readDescription(field(canvas, t))).toBe('');
    });
    await step('The corrected address is accepted', async () => {
      await userEvent.keyboard('example.org{Enter}');
      await expect(await canvas.findByText(t.successTitle)).toBeVisible();
      await keepToast(t.signupSucceeded);
    });
  },
};

/** A double click signs up once. */
export const DoubleClick: Story = {
  parameters: scripted(),
  play: async ({ canvas, userEvent, globals, args }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), ADDRESS);
    await userEvent.dblClick(button(canvas, t));
    await keepToast(t.signupSucceeded);
    await expect(store.signups.size).toBe(1);
    await expect(args.onOutcome).toHaveBeenCalledTimes(1);
  },
};
