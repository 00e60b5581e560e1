import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail, withHeading } from '../../../../../../.storybook/email.tsx';

/** Sent after a signup that needs no confirmation, or once the address is confirmed. */
const meta = {
  ...onEmail,
  title: 'Emails/Welcome',
  component: Email,
  args: { email: 'welcome' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = { play: withHeading('You’re on the list') };
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };
/** PrintMargin’s own template, in `site/mails`. */
export const OwnTemplate: Story = { globals: { brand: 'printmargin' }, play: withHeading('You’re onthe list.') };
/** The same in dark mode. */
export const OwnTemplateDark: Story = { ...OwnTemplate, globals: { brand: 'printmargin', theme: 'dark' } };

export const Arabic: Story = { globals: { locale: 'ar' }, tags: ['!dev', '!autodocs'] };
export const SpanishPhone: Story = { args: { width: 390 }, globals: { locale: 'es' }, tags: ['!dev', '!autodocs'] };
export const BrightPhoneDark: Story = {
  args: { width: 390 },
  globals: { brand: 'bright', theme: 'dark' },
  tags: ['!dev', '!autodocs'],
};
export const Bright: Story = { globals: { brand: 'bright' }, tags: ['!dev', '!autodocs'] };
