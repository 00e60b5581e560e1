import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The responses to a form that is sent without scripts, in the brand's colors. */
const meta = {
  title: 'Server pages/Results',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The address is on the list. */
export const Created: Story = { args: { page: 'result/created' } };
/** The address has to be confirmed; links to Gmail. */
export const CheckYourInbox: Story = { args: { page: 'result/pending' } };
/** The address is already on the list. */
export const Duplicate: Story = { args: { page: 'result/duplicate' } };
/** The text is not an email address. */
export const InvalidAddress: Story = { args: { page: 'result/invalid' } };
/** A required field is empty. */
export const MissingField: Story = { args: { page: 'result/missing-field' } };
/** A field has an invalid value. */
export const InvalidField: Story = { args: { page: 'result/invalid-field' } };
/** The admin has closed the list. */
export const Closed: Story = { args: { page: 'result/closed' } };
/** The list is full, with the admin’s text and link. */
export const FullWithLink: Story = { args: { page: 'result/full' } };
/** The address is stored until the list opens again. */
export const WaitsForOpening: Story = { args: { page: 'result/requested' } };
/** The database is unavailable. */
export const Failed: Story = { args: { page: 'result/failed' } };
/** The request does not contain the origin of the form's page. */
export const WithoutOrigin: Story = { args: { page: 'result/no-origin' } };
/** The page's origin is not in `ALLOWED_ORIGINS`. */
export const ForeignOrigin: Story = { args: { page: 'result/foreign-origin' } };
export const ArabicPhone: Story = {
  args: { page: 'result/missing-field', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
