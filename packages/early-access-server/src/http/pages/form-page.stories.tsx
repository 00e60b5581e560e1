import type { Meta, StoryObj } from '@storybook/react-vite';
import { onServerPage, ServerPage } from '../../../../../.storybook/server-page.tsx';

/** The server's own pages with the form: `/join`, and `/form` for iframes. */
const meta = {
  title: 'Server pages/Join and form',
  component: ServerPage,
  parameters: { layout: 'fullscreen' },
  ...onServerPage,
} satisfies Meta<typeof ServerPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** `/join` with the address as the only field. */
export const Join: Story = { args: { page: 'join/plain' } };
/** With `BRAND_PICTURE`, the fields of `SIGNUP_FIELDS` and the number of people. */
export const JoinWithPictureAndFields: Story = { args: { page: 'join/picture' } };
export const JoinArabicPhone: Story = {
  args: { page: 'join/picture', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
export const JoinJapanese: Story = {
  args: { page: 'join/plain' },
  globals: { locale: 'ja' },
  tags: ['!dev', '!autodocs'],
};
/** Nobody can join now, but addresses are stored until the list opens again. */
export const JoinPaused: Story = { args: { page: 'join/paused' } };
export const JoinPausedArabicPhone: Story = {
  args: { page: 'join/paused', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
/** All places are taken; shows the admin's text. */
export const JoinFull: Story = { args: { page: 'join/full' } };
/** `/form` when all places are taken. */
export const FrameFull: Story = { args: { page: 'form/full', width: 390 } };
/** `/form` in an iframe, with a transparent background. */
export const Frame: Story = { args: { page: 'form/plain', width: 390 } };
/** Ignores the background and the name, although the brand's styles set both. */
export const FrameInStylesOfBrand: Story = { args: { page: 'form/branded', width: 390 } };
/** `/form` with a text, a URL, a choice and a consent field. */
export const FrameWithFields: Story = { args: { page: 'form/fields', width: 390 } };
/** `/form` with the other kinds of fields. */
export const FrameWithMoreFields: Story = { args: { page: 'form/more-fields', width: 390 } };
export const FrameWithMoreFieldsArabic: Story = {
  args: { page: 'form/more-fields', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
export const FrameArabic: Story = {
  args: { page: 'form/fields', width: 390 },
  globals: { locale: 'ar' },
  tags: ['!dev', '!autodocs'],
};
/** A page that `FORM_ORIGINS` does not list shows a link instead of the form. */
export const FrameNotAllowed: Story = { args: { page: 'form/link', width: 390 } };
