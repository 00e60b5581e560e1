import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { DocumentFrame, shownDocument } from '../../../../../.storybook/document-frame.tsx';
import { defaultTemplates } from './default-templates.ts';

const { welcome } = defaultTemplates('en');

const NEUTRAL = {
  name: 'Acme',
  url: 'https://www.acme.example/',
  host: 'www.acme.example',
  unsubscribeUrl: 'mailto:hello@acme.example?subject=unsubscribe',
  fields: {},
};
/** A light accent, which needs dark text on it. */
const FERNWOOD = {
  ...NEUTRAL,
  name: 'Fernwood Ceramics',
  host: 'fernwood.example',
  colors: { accent: '#ffd400', background: '#eef4ee' },
};

/** The welcome email of a host without its own templates, generated from its brand settings. */
const meta = {
  title: 'Emails/Welcome',
  component: DocumentFrame,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { html: welcome(NEUTRAL).html },
  play: async ({ canvasElement }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.querySelector('h1')).toHaveTextContent('You’re on the list');
  },
} satisfies Meta<typeof DocumentFrame>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Desktop: Story = {};

export const SecondBrand: Story = { args: { html: welcome(FERNWOOD).html } };

export const SecondBrandPhoneDark: Story = {
  args: { html: welcome(FERNWOOD).html, width: 390 },
  globals: { theme: 'dark' },
};

/** A narrow window, with a name and an address that wrap onto several lines. */
export const LongName: Story = {
  args: {
    html: welcome({
      ...FERNWOOD,
      name: 'The Association of Independent Fernwood Ceramics and Stoneware Workshops',
      host: 'early-access.fernwood-ceramics-and-stoneware.example/workshops/list',
    }).html,
    width: 320,
  },
};
