import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The private page of a person, which their emails link to, in each of its states. */
const meta = {
  title: 'Server pages/Status',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Subscribed: Story = { args: { page: 'status/subscribed' } };
export const Pending: Story = { args: { page: 'status/pending' } };
export const Invited: Story = { args: { page: 'status/invited' } };
export const Joined: Story = { args: { page: 'status/joined' } };
export const Unsubscribed: Story = { args: { page: 'status/unsubscribed' } };
export const Bounced: Story = { args: { page: 'status/bounced' } };
export const EraseAsked: Story = { args: { page: 'status/asked' } };
export const Erased: Story = { args: { page: 'status/erased' } };
export const ErasedInPart: Story = { args: { page: 'status/not-traceless' } };
export const WithoutLink: Story = { args: { page: 'status/private' } };
export const UnknownLink: Story = { args: { page: 'status/unknown' } };
export const ArabicPhone: Story = { args: { page: 'status/subscribed', width: 390 }, globals: { locale: 'ar' } };
