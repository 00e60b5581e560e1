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

export const Ask: Story = { args: { page: 'confirm/ask' } };
export const Confirmed: Story = { args: { page: 'confirm/confirmed' } };
/** Once the address is confirmed, the person sees their share link if there are share links. */
export const ConfirmedWithShareLink: Story = { args: { page: 'confirm/shared' } };
export const AlreadyConfirmed: Story = { args: { page: 'confirm/already-confirmed' } };
export const Expired: Story = { args: { page: 'confirm/expired' } };
export const Renewed: Story = { args: { page: 'confirm/renewed' } };
export const Unknown: Story = { args: { page: 'confirm/unknown' } };
export const NewLinkSent: Story = { args: { page: 'confirm/sent' } };
export const ArabicPhone: Story = { args: { page: 'confirm/expired', width: 390 }, globals: { locale: 'ar' } };
