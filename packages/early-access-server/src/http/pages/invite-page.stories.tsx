import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The page that the link in an invitation leads to. It opens the product. */
const meta = {
  title: 'Server pages/Invite',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** One button leads to the product. */
export const Open: Story = { args: { page: 'invite/open' } };
export const OpenArabicPhone: Story = {
  args: { page: 'invite/open', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
/** A mail filter has removed the token. */
export const Unknown: Story = { args: { page: 'invite/unknown' } };
/** If the address was invited, a new link was sent. */
export const NewLinkSent: Story = { args: { page: 'invite/sent' } };
