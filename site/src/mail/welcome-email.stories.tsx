import type { Meta, StoryObj } from '@storybook/react-vite';
import { mustacheTemplate } from 'early-access-server/mail';
import { expect } from 'storybook/test';
import { DocumentFrame, shownDocument } from '../../../.storybook/document-frame.tsx';
import html from '../../mails/welcome.html?raw';
import subject from '../../mails/welcome.subject.txt?raw';
import text from '../../mails/welcome.txt?raw';

const email = mustacheTemplate({ subject, text, html })({
  name: 'PrintMargin',
  url: 'https://printmargin.example/',
  host: 'printmargin.example',
  unsubscribeUrl: 'mailto:hello@printmargin.example?subject=unsubscribe',
  fields: {},
});

/** PrintMargin's own template, in `site/mails`. */
const meta = {
  title: 'Emails/PrintMargin welcome',
  component: DocumentFrame,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { html: email.html },
  play: async ({ canvasElement }) => {
    const shown = await shownDocument(canvasElement);
    await expect(shown.querySelector('h1')).toHaveTextContent('You’re onthe list.');
  },
} satisfies Meta<typeof DocumentFrame>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Desktop: Story = {};

export const Dark: Story = { globals: { theme: 'dark' } };
