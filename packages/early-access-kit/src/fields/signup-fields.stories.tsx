import type { Meta, StoryObj } from '@storybook/react-vite';
import { type Messages, SignupForm } from 'early-access-kit';
import 'early-access-kit/more-fields.css';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type FieldDeclarations, signupFields } from 'early-access-kit/fields';
import { signupFields as signupAllFields } from 'early-access-kit/more-fields';
import { expect, fn, waitFor } from 'storybook/test';
import { button, type Canvas, field, keepToast, readDescription } from '../../stories/form-on-screen.ts';
import { ADDRESS } from '../../stories/form-states.ts';
import { onPage, provideStore } from '../../stories/on-page.tsx';
import { ServerRendered } from '../../stories/server-rendered.tsx';
import { getLanguage, getTexts } from '../../stories/texts.ts';

const DECLARED: FieldDeclarations = {
  shop: { type: 'text', label: 'Name of your shop', required: true, maxLength: 80, autoComplete: 'organization' },
  portfolio: { type: 'url', label: 'Portfolio', placeholder: 'shop.example.com' },
  orders: {
    type: 'select',
    label: 'Orders a month',
    placeholder: 'Choose…',
    options: ['Up to 10', '11 to 100', 'More than 100'],
  },
  news: { type: 'checkbox', label: 'Tell me about new templates' },
  terms: {
    type: 'checkbox',
    label: 'I agree that my shop is contacted about the beta, and I know that I can withdraw this at any time.',
    required: true,
    consent: true,
  },
};
const FIELDS = signupFields(DECLARED);

/** The form with fields that the host declares: a text, a web address, a choice, a checkbox and a consent. */
const meta = {
  title: 'Widgets/Signup form with fields',
  component: SignupForm,
  decorators: [onPage],
  argTypes: { errors: { control: 'radio', options: ['inline', 'none'] } },
  // Spread, because Storybook adds the description to an object literal.
  parameters: { ...provideStore(() => memoryAdapter({ fields: DECLARED })) },
  args: { botGuard: false, errors: 'inline', disabled: false, onOutcome: fn(), fields: FIELDS },
} satisfies Meta<typeof SignupForm>;

export default meta;

type Story = StoryObj<typeof meta>;

const input = (canvas: Canvas, name: keyof typeof DECLARED) =>
  canvas.getByLabelText<HTMLInputElement>(new RegExp(`^${DECLARED[name]?.label.slice(0, 12)}`));

export const Idle: Story = {
  play: async ({ canvas, globals }) => {
    await waitFor(() => expect(button(canvas, getTexts(globals))).toBeEnabled());
    await expect(input(canvas, 'shop')).toBeRequired();
    await expect(input(canvas, 'portfolio')).not.toBeRequired();
  },
};

const CONSENT = 'I agree to the privacy policy.';
const WITH_LINK: FieldDeclarations = {
  terms: {
    type: 'checkbox',
    label: CONSENT,
    links: { 'privacy policy': '/privacy' },
    required: true,
    consent: true,
  },
};

/** A link in a label opens a new tab. The stored consent is the text of the label. */
export const ConsentWithLink: Story = {
  parameters: { ...provideStore(() => memoryAdapter({ fields: WITH_LINK })) },
  args: { fields: signupAllFields(WITH_LINK) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy');
    await expect(canvas.getByRole('checkbox', { name: CONSENT })).toBeRequired();
  },
};

const MORE: FieldDeclarations = {
  story: { type: 'textarea', label: 'What do you print?', help: 'In a few lines.' },
  phone: { type: 'tel', label: 'Telephone' },
  prints: { type: 'number', label: 'Prints a month', min: 0 },
  opened: { type: 'date', label: 'Opened', max: '2026-12-31' },
  likes: { type: 'choices', label: 'What should come first', required: true, options: ['Labels', 'Returns', 'Ads'] },
};

/**
 * A multi-line text, a telephone number, a number, a date and multiple choices, one with help. Their styles are
 * separate, because most forms do not need them.
 */
export const MoreFields: Story = {
  parameters: { ...provideStore(() => memoryAdapter({ fields: MORE })) },
  args: { fields: signupAllFields(MORE) },
  play: async ({ canvas }) => {
    await expect(canvas.getByLabelText(/^What do you print/)).toHaveAccessibleDescription(/^In a few lines\.\s*$/);
    await expect(canvas.getByRole('group', { name: 'What should come first' })).toBeVisible();
    await expect(canvas.getByRole('checkbox', { name: 'Returns' })).not.toBeRequired();
  },
};

/** An invalid telephone number, and multiple choices without a selection. */
export const MoreFieldsInvalid: Story = {
  ...MoreFields,
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), ADDRESS);
    await userEvent.type(canvas.getByLabelText(/^Telephone/), '030 123456');
    await userEvent.click(button(canvas, t));
    await waitFor(() => expect(readDescription(canvas.getByLabelText(/^Telephone/))).toBe(t.phoneInvalid));
    await expect(canvas.getByRole('group', { name: 'What should come first' })).toHaveAccessibleDescription(
      t.choiceRequired,
    );
    await expect(canvas.getByLabelText(/^Telephone/)).toHaveFocus();
  },
};

/** All errors are explained at once, each beside its field. */
export const Invalid: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), 'ada');
    await userEvent.type(input(canvas, 'portfolio'), 'my shop');
    await userEvent.click(button(canvas, t));
    await waitFor(() => expect(readDescription(input(canvas, 'terms'))).toBe(t.checkboxRequired));
    await expect(readDescription(field(canvas, t))).toBe(t.invalidEmail);
    await expect(readDescription(input(canvas, 'shop'))).toBe(t.fieldRequired);
    await expect(readDescription(input(canvas, 'portfolio'))).toBe(t.urlInvalid);
    await expect(field(canvas, t)).toHaveFocus();
  },
};

async function fillFields(
  canvas: Canvas,
  t: Messages,
  userEvent: { type(element: Element, text: string): Promise<void> },
) {
  await userEvent.type(field(canvas, t), ADDRESS);
  await userEvent.type(input(canvas, 'shop'), 'Analytical Prints');
}

/** By keyboard: Tab moves through the fields, Space ticks a box, Enter presses the button. */
export const ByKeyboard: Story = {
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await fillFields(canvas, t, userEvent);
    await userEvent.tab();
    await expect(input(canvas, 'portfolio')).toHaveFocus();
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.tab();
    await expect(input(canvas, 'terms')).toHaveFocus();
    await userEvent.keyboard(' ');
    await expect(input(canvas, 'terms')).toBeChecked();
    await userEvent.tab();
    await expect(button(canvas, t)).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await keepToast(t.signupSucceeded);
  },
};

/** The form as the server renders it. The browser's own validation works before any script has run. */
export const WithoutScripts: Story = {
  args: { action: '/api/signup-form' },
  render: (form, { globals }) => <ServerRendered form={form} language={getLanguage(globals)} />,
  play: async ({ canvas, globals }) => {
    await expect(button(canvas, getTexts(globals))).toBeEnabled();
    await expect(input(canvas, 'terms')).toBeInvalid();
  },
};
