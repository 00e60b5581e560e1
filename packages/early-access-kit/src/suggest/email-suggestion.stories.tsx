import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { EmailSuggestion } from 'early-access-kit/suggest';
import { expect, waitFor } from 'storybook/test';
import { field } from '../../stories/form-on-screen.ts';
import { onPage } from '../../stories/on-page.tsx';
import { getTexts } from '../../stories/texts.ts';

/**
 * Suggests a correction of a misspelled domain below the field. Loaded when the field is used. Moves nothing below it.
 */
const meta = {
  title: 'Widgets/Email suggestion',
  component: SignupForm,
  decorators: [onPage],
  args: { botGuard: false, slots: { note: <EmailSuggestion /> } },
  render: (form) => (
    <>
      <SignupForm {...form} />
      <p>Below the form</p>
    </>
  ),
} satisfies Meta<typeof SignupForm>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Suggested: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    const below = canvas.getByText('Below the form');
    const { top } = below.getBoundingClientRect();
    await userEvent.type(field(canvas, t), 'ada@gmial.com');
    const name = t.suggestDomain.replace('{domain}', 'gmail.com');
    await waitFor(() => expect(canvas.getByRole('button', { name })).toBeVisible());
    await expect(Math.abs(below.getBoundingClientRect().top - top)).toBeLessThan(1);
  },
};

/** The down arrow accepts the suggestion, and the field keeps the focus. */
export const Accepted: Story = {
  ...Suggested,
  play: async (context) => {
    await Suggested.play?.(context);
    const { canvas, userEvent, globals } = context;
    await userEvent.keyboard('{ArrowDown}');
    const input = field(canvas, getTexts(globals));
    await expect(input).toHaveValue('ada@gmail.com');
    await expect(input).toHaveFocus();
  },
};
