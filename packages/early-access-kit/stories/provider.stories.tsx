import type { Meta, StoryObj } from '@storybook/react-vite';
import { EarlyAccessProvider, SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { expect, fn, waitFor } from 'storybook/test';
import { button, field } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { Stage } from './stage.tsx';
import { getLanguage, getTexts } from './texts.ts';

/** Passes the adapter, the texts and the toasts to the widgets below it, here a form. */
const meta = {
  title: 'Widgets/Provider',
  component: EarlyAccessProvider,
  args: { adapter: memoryAdapter({ script: { createSignup: { duplicate: true } } }) },
  argTypes: {
    locale: { control: 'select', options: ['en', 'es', 'ar-EG', 'de'] },
    messages: { control: 'object' },
    shareSuccess: { control: 'boolean' },
  },
  render: (provider, { globals }) => {
    const { locale, messages } = getLanguage(globals);
    return (
      <EarlyAccessProvider
        {...provider}
        locale={provider.locale ?? locale}
        messages={{ ...messages, ...provider.messages }}
      >
        <Stage>
          <SignupForm botGuard={false} />
          {provider.children}
        </Stage>
      </EarlyAccessProvider>
    );
  },
} satisfies Meta<typeof EarlyAccessProvider>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Default: Story = {
  play: async ({ canvas, globals }) => {
    await waitFor(() => expect(button(canvas, getTexts(globals))).toBeEnabled());
  },
};

/** The host replaces some of the texts. */
export const OwnWords: Story = {
  args: { messages: { submit: 'Count me in' } },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Count me in' })).toBeEnabled());
  },
};

/** After a success in one form, both stop asking. Without `shareSuccess`, only that form does. */
export const SharedSuccess: Story = {
  args: { adapter: memoryAdapter(), shareSuccess: true, children: <SignupForm botGuard={false} source="footer" /> },
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(canvas.getAllByLabelText(t.emailLabel)[0] ?? document.body, `${ADDRESS}{Enter}`);
    await waitFor(() => expect(canvas.getAllByText(t.successTitle)).toHaveLength(2));
    await expect(canvas.queryByRole('button', { name: t.submit })).toBeNull();
  },
};

/** The host shows the toasts: its `notify` is called, and the kit's region is not in the page. */
export const OwnToasts: Story = {
  args: { notify: fn() },
  play: async ({ canvas, userEvent, globals, args }) => {
    const t = getTexts(globals);
    await expect(canvas.queryByRole('status')).toBeNull();
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await waitFor(() =>
      expect(args.notify).toHaveBeenCalledWith(expect.objectContaining({ kind: 'error', text: t.duplicateEmail })),
    );
  },
};
