import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The pages with the form that the server itself has: `/join`, and `/form` for iframes. */
const meta = {
  title: 'Server pages/Hosted form',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Join: Story = { args: { page: 'join/plain' } };
export const JoinWithPictureAndFields: Story = { args: { page: 'join/picture' } };
export const JoinDark: Story = { args: { page: 'join/picture' }, globals: { theme: 'dark' } };
export const JoinPhone: Story = { args: { page: 'join/picture', width: 390 } };
export const JoinArabicPhone: Story = { args: { page: 'join/picture', width: 390 }, globals: { locale: 'ar' } };
export const JoinJapanese: Story = { args: { page: 'join/plain' }, globals: { locale: 'ja' } };
export const Frame: Story = { args: { page: 'form/plain', width: 390 } };
/** Shows neither the background nor the name, although the styles of the brand set both. */
export const FrameInStylesOfBrand: Story = { args: { page: 'form/branded', width: 390 } };
export const FrameWithFields: Story = { args: { page: 'form/fields', width: 390 } };
export const FrameDark: Story = { args: { page: 'form/fields', width: 390 }, globals: { theme: 'dark' } };
export const FrameArabic: Story = { args: { page: 'form/fields', width: 390 }, globals: { locale: 'ar' } };
export const FrameNotAllowed: Story = { args: { page: 'form/link', width: 390 } };
