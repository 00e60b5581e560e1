import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The page that the link in a confirmation email leads to, in each of its states. */
const meta = {
  title: 'Server pages/Confirm',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The link was opened in another browser than the one that signed up: a button confirms. */
export const Ask: Story = { args: { page: 'confirm/ask' } };
/** The address is confirmed. */
export const Confirmed: Story = { args: { page: 'confirm/confirmed' } };
/** After confirming, the person sees their share link, if share links are on. */
export const ConfirmedWithShareLink: Story = { args: { page: 'confirm/shared' } };
/** The link was opened again. */
export const AlreadyConfirmed: Story = { args: { page: 'confirm/already-confirmed' } };
/** The link is older than a week; the page offers a new one. */
export const Expired: Story = { args: { page: 'confirm/expired' } };
/** A new link has been sent. */
export const Renewed: Story = { args: { page: 'confirm/renewed' } };
/** The link is incomplete or was never valid. A new one can be requested. */
export const Unknown: Story = { args: { page: 'confirm/unknown' } };
/** If the address is on the list, a new link was sent. The page does not reveal whether it is. */
export const NewLinkSent: Story = { args: { page: 'confirm/sent' } };
export const ArabicPhone: Story = {
  args: { page: 'confirm/expired', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
