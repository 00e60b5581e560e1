import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The page that the unsubscribe link of an email leads to, in each of its states. */
const meta = {
  title: 'Server pages/Unsubscribe',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** One button unsubscribes; opening the page changes nothing. */
export const Ask: Story = { args: { page: 'unsubscribe/ask' } };
/** The address gets no more emails. */
export const Unsubscribed: Story = { args: { page: 'unsubscribe/unsubscribed' } };
/** The link is incomplete. */
export const Unknown: Story = { args: { page: 'unsubscribe/unknown' } };
/** The database is unavailable; the button remains. */
export const Failed: Story = { args: { page: 'unsubscribe/failed' } };
export const ArabicPhoneDark: Story = {
  args: { page: 'unsubscribe/failed', width: 390 },
  globals: { locale: 'ar', theme: 'dark' },
  tags: ['!dev', '!autodocs'],
};
