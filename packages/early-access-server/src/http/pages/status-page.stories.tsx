import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** A person's private page, which their emails link to, in each of its states. */
const meta = {
  title: 'Server pages/Status',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Waiting for an invitation, with place and share link. */
export const Subscribed: Story = { args: { page: 'status/subscribed' } };
/** The address is not confirmed yet. */
export const Pending: Story = { args: { page: 'status/pending' } };
/** The invitation has been sent. */
export const Invited: Story = { args: { page: 'status/invited' } };
/** The person has joined. */
export const Joined: Story = { args: { page: 'status/joined' } };
/** The person gets no more emails. */
export const Unsubscribed: Story = { args: { page: 'status/unsubscribed' } };
/** The mailbox rejects emails, so the page asks for a new address. */
export const Bounced: Story = { args: { page: 'status/bounced' } };
/** Asks for confirmation before everything is deleted. */
export const EraseAsked: Story = { args: { page: 'status/asked' } };
/** Everything about the person is deleted. */
export const Erased: Story = { args: { page: 'status/erased' } };
/** Deleted, except for data that must be kept by law or remains on a mail server. */
export const ErasedInPart: Story = { args: { page: 'status/not-traceless' } };
/** Opened without a link: asks for the address and sends a link. */
export const WithoutLink: Story = { args: { page: 'status/private' } };
/** The link is no longer valid. */
export const UnknownLink: Story = { args: { page: 'status/unknown' } };
export const ArabicPhone: Story = {
  args: { page: 'status/subscribed', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
