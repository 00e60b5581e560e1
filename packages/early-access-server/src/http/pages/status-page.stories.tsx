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

/** Waits for an invitation, with place and share link. */
export const Subscribed: Story = { args: { page: 'status/subscribed' } };
/** The address is not confirmed yet. */
export const Pending: Story = { args: { page: 'status/pending' } };
/** The invitation is in the mailbox. */
export const Invited: Story = { args: { page: 'status/invited' } };
/** Uses the product. */
export const Joined: Story = { args: { page: 'status/joined' } };
/** Gets no more emails. */
export const Unsubscribed: Story = { args: { page: 'status/unsubscribed' } };
/** The mailbox refuses emails, so a new address is asked for. */
export const Bounced: Story = { args: { page: 'status/bounced' } };
/** Asks once more before everything is deleted. */
export const EraseAsked: Story = { args: { page: 'status/asked' } };
/** Everything about the person is deleted. */
export const Erased: Story = { args: { page: 'status/erased' } };
/** Deleted, except for what the law or a mail server may keep. */
export const ErasedInPart: Story = { args: { page: 'status/not-traceless' } };
/** Opened without a link: asks for the address and sends one. */
export const WithoutLink: Story = { args: { page: 'status/private' } };
/** The link is no longer valid. */
export const UnknownLink: Story = { args: { page: 'status/unknown' } };
export const ArabicPhone: Story = {
  args: { page: 'status/subscribed', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
