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
export const JoinArabicPhone: Story = { args: { page: 'join/picture', width: 390 }, globals: { locale: 'ar' } };
export const JoinJapanese: Story = { args: { page: 'join/plain' }, globals: { locale: 'ja' } };
/** Nobody can join now, but addresses are kept until the list opens again. */
export const JoinPaused: Story = { args: { page: 'join/paused' } };
export const JoinPausedArabicPhone: Story = { args: { page: 'join/paused', width: 390 }, globals: { locale: 'ar' } };
export const JoinFull: Story = { args: { page: 'join/full' } };
export const FrameFull: Story = { args: { page: 'form/full', width: 390 } };
export const Frame: Story = { args: { page: 'form/plain', width: 390 } };
/** Shows neither the background nor the name, although the styles of the brand set both. */
export const FrameInStylesOfBrand: Story = { args: { page: 'form/branded', width: 390 } };
export const FrameWithFields: Story = { args: { page: 'form/fields', width: 390 } };
export const FrameWithMoreFields: Story = { args: { page: 'form/more-fields', width: 390 } };
export const FrameWithMoreFieldsArabic: Story = {
  args: { page: 'form/more-fields', width: 390 },
  globals: { locale: 'ar' },
};
export const FrameArabic: Story = { args: { page: 'form/fields', width: 390 }, globals: { locale: 'ar' } };
export const FrameNotAllowed: Story = { args: { page: 'form/link', width: 390 } };
