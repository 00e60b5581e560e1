import type { Meta, StoryObj } from '@storybook/react-vite';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { configure } from 'early-access-kit/embed';
import { createElement, useState } from 'react';
import { expect, fireEvent, waitFor, within } from 'storybook/test';
import { button, field } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { getLanguage, getTexts, type Language } from './texts.ts';

interface HostProps {
  background: string;
  color: string;
  language?: Language;
}

/** A page with its own colors but no `color-scheme`, so its system colors are light. */
function Host({ background, color, language }: HostProps) {
  useState(() => configure({ adapter: memoryAdapter(), ...language }));
  const form = (attributes: Record<string, string | boolean>) =>
    createElement('early-access-form', { 'no-bot-guard': '', ...attributes });
  return (
    <main style={{ colorScheme: 'normal', display: 'grid', gap: '1.5rem', padding: '1.5rem', background, color }}>
      <p>The label and the message for an invalid address have the color of this sentence.</p>
      {form({ key: 'invalid' })}
      {form({ key: 'success' })}
      {form({ key: 'disabled', disabled: true, value: ADDRESS })}
    </main>
  );
}

/**
 * Elements on dark pages and in colored sections of hosts that declare no `color-scheme`. The label and messages
 * inherit the host's color; fields, toasts and boxes have their own background. The accessibility check of each story
 * measures the contrast.
 */
const meta = {
  title: 'Hosts/Dark pages',
  component: Host,
  argTypes: { language: { control: false } },
  parameters: { layout: 'fullscreen' },
  render: (host, { globals }) => <Host {...host} language={getLanguage(globals)} />,
  play: async ({ canvasElement, globals }) => {
    const t = getTexts(globals);
    const forms = () =>
      [...canvasElement.querySelectorAll<HTMLElement>('early-access-form')].map((form) =>
        within(form.shadowRoot?.querySelector<HTMLElement>('.eak-signup') ?? form),
      );
    await waitFor(() => forms().map((form) => field(form, t)));
    const [invalid, success] = forms();
    if (!invalid || !success) throw new Error('the page has no forms');
    await fireEvent.input(field(success, t), { target: { value: ADDRESS } });
    await fireEvent.click(button(success, t));
    await waitFor(() => expect(success.getByText(t.successTitle)).toBeVisible());
    await fireEvent.input(field(invalid, t), { target: { value: 'ada' } });
    await fireEvent.click(button(invalid, t));
    await waitFor(() => expect(invalid.getByText(t.invalidEmail)).toBeVisible());
  },
} satisfies Meta<typeof Host>;

export default meta;

type Story = StoryObj<typeof meta>;

export const DarkPage: Story = { args: { background: '#111', color: '#eee' } };

export const BrandSection: Story = {
  name: 'Section in a brand’s color',
  args: { background: '#2f5fe8', color: '#fff' },
};
