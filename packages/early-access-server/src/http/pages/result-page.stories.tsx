import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The responses to a form that a page sends without scripts, in the colors of the brand. */
const meta = {
  title: 'Server pages/Results',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Created: Story = { args: { page: 'result/created' } };
export const CheckYourInbox: Story = { args: { page: 'result/pending' } };
export const Duplicate: Story = { args: { page: 'result/duplicate' } };
export const InvalidAddress: Story = { args: { page: 'result/invalid' } };
export const MissingField: Story = { args: { page: 'result/missing-field' } };
export const InvalidField: Story = { args: { page: 'result/invalid-field' } };
export const Closed: Story = { args: { page: 'result/closed' } };
export const FullWithLink: Story = { args: { page: 'result/full' } };
export const WaitsForOpening: Story = { args: { page: 'result/requested' } };
export const Failed: Story = { args: { page: 'result/failed' } };
export const WithoutOrigin: Story = { args: { page: 'result/no-origin' } };
export const ForeignOrigin: Story = { args: { page: 'result/foreign-origin' } };
export const ArabicPhone: Story = { args: { page: 'result/missing-field', width: 390 }, globals: { locale: 'ar' } };
