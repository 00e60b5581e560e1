import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { expect, waitFor } from 'storybook/test';
import { button, field, keepToast } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { onPage, provideStore } from './on-page.tsx';
import { getTexts } from './texts.ts';

/**
 * Forced colors: an invalid field with the focus, and a toast. A page cannot enable this mode. It is a setting of the system (contrast
 * themes on Windows) or of the browser's developer tools (Rendering, forced-colors). The browser tests enable it.
 */
const meta = {
  title: 'Conditions/Forced colors',
  decorators: [onPage],
  parameters: { ...provideStore(() => memoryAdapter({ script: { createSignup: { duplicate: true } } })) },
} satisfies Meta;

export default meta;

export const SignupFormForced: StoryObj<typeof meta> = {
  name: 'Signup form',
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
