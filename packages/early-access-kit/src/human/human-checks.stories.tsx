import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { turnstile } from 'early-access-kit/human/turnstile';
import { expect, fn, screen, waitFor } from 'storybook/test';
import { button, field, keepToast } from '../../stories/form-on-screen.ts';
import { ADDRESS } from '../../stories/form-states.ts';
import { onPage } from '../../stories/on-page.tsx';
import { getTexts } from '../../stories/texts.ts';
import { type FakeWork, installTurnstile } from './turnstile.fixture.ts';

/**
 * The signup form with a human check, here Turnstile. Most visitors do not notice it. Nothing is loaded before the form
 * is used, and it takes no space unless it has to ask.
 */
const meta = {
  title: 'Widgets/Human checks',
  component: SignupForm,
  decorators: [onPage],
  argTypes: { errors: { control: 'radio', options: ['inline', 'none'] } },
  args: {
    botGuard: false,
    errors: 'inline',
    disabled: false,
    onOutcome: fn(),
    humanCheck: turnstile({ siteKey: 'site-key' }),
  },
  // A fake of Cloudflare's script, controlled by the story.
  beforeEach: ({ parameters }) => {
    const work: FakeWork = parameters.work;
    return installTurnstile(work).uninstall;
  },
  render: (form) => (
    <>
      <SignupForm {...form} />
      <p>Below the form</p>
    </>
  ),
} satisfies Meta<typeof SignupForm>;

export default meta;

type Story = StoryObj<typeof meta>;

const doing = (work: FakeWork) => ({ work });

/** The question appears below the button. The group is announced and has the focus; the widget is the next tab stop. */
export const Asks: Story = {
  parameters: doing(({ ask }) => ask()),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    const group = await canvas.findByRole('group', { name: t.confirmHuman });
    await waitFor(() => expect(group).toHaveFocus());
    await expect(canvas.getByRole('button', { name: t.submitting })).toBeDisabled();
    await userEvent.tab();
    await expect(canvas.getByRole('checkbox')).toHaveFocus();
  },
};

/** Answering completes the signup, by keyboard alone. */
export const Answered: Story = {
  ...Asks,
  play: async (context) => {
    await Asks.play?.(context);
    const t = getTexts(context.globals);
    await context.userEvent.keyboard(' ');
    const title = await context.canvas.findByText(t.successTitle);
    await waitFor(() => expect(title.parentElement).toHaveFocus());
    await expect(screen.queryByRole('checkbox')).toBeNull();
    await keepToast(t.signupSucceeded);
  },
};

/** The check passes without a question, and nothing on the page moves. */
export const Succeeds: Story = {
  parameters: doing(({ pass }) => pass()),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    const below = canvas.getByText('Below the form');
    const { top } = below.getBoundingClientRect();
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await expect(await canvas.findByText(t.successTitle)).toBeVisible();
    await expect(below.getBoundingClientRect().top).toBe(top);
    await keepToast(t.signupSucceeded);
  },
};

/** The check cannot be reached or fails: the usual error is shown, and the visitor can try again. */
export const Fails: Story = {
  parameters: doing(({ fail }) => fail('300010')),
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await keepToast(t.signupFailed);
    await waitFor(() => expect(button(canvas, t)).toBeEnabled());
    await expect(field(canvas, t)).toHaveFocus();
    await expect(field(canvas, t)).toHaveValue(ADDRESS);
  },
};
