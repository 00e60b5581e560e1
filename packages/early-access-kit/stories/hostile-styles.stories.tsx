import type { Meta, StoryObj } from '@storybook/react-vite';
import bootstrap from 'bootstrap/dist/css/bootstrap.css?inline';
import { AdminOverlay, EarlyAccessProvider, SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import normalize from 'modern-normalize/modern-normalize.css?inline';
import { type CSSProperties, useState } from 'react';
import { expect, waitFor } from 'storybook/test';
import preflight from 'tailwindcss/preflight.css?inline';
import reset from 'the-new-css-reset/css/reset.css?inline';
import { ADMIN, busy, counter, NOW, remembered } from './admin-page.tsx';
import { button, field, keepToast } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { formatNumber, getLanguage, getTexts, type Language } from './texts.ts';

interface HostPageProps {
  /** The host's stylesheet. */
  styles: string;
  name: string;
  language?: Language;
}

/** The kit inherits font and color. This container sets both, so that host styles can only change everything else. */
const CONTAINER: CSSProperties = {
  all: 'initial',
  colorScheme: 'inherit',
  display: 'block',
  maxInlineSize: '32rem',
  font: '1rem system-ui',
  color: 'CanvasText',
};

/** A page whose styles match every bare element, including the kit's. */
function HostPage({ styles, name, language }: HostPageProps) {
  const [adapter] = useState(adapterOfHost);
  return (
    <main style={{ minBlockSize: '24rem', background: 'Canvas', color: 'CanvasText' }}>
      <style data-host="">{styles}</style>
      <h1>{name}</h1>
      <p>This sentence and this heading are the host’s, and look as it says. The widgets look as they do everywhere.</p>
      <div style={CONTAINER}>
        <EarlyAccessProvider adapter={adapter} {...language}>
          <SignupForm botGuard={false} />
          <AdminOverlay />
        </EarlyAccessProvider>
      </div>
    </main>
  );
}

function adapterOfHost() {
  const script = { createSignup: { duplicate: true } };
  return memoryAdapter({ adminEmail: ADMIN, store: busy(), now: () => NOW, script });
}

/**
 * Hosts with global styles for every element. The widgets look the same as on an empty page. The play function verifies this: it
 * removes the host's stylesheet and compares each computed property of each part.
 */
const meta = {
  title: 'Hosts/Hostile styles',
  component: HostPage,
  argTypes: { styles: { control: false }, language: { control: false } },
  beforeEach: remembered,
  render: (host, { globals }) => <HostPage {...host} language={getLanguage(globals)} />,
} satisfies Meta<typeof HostPage>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Returns the computed properties of each widget part, without the host's own variables. */
function looks(): Record<string, string>[] {
  return [...document.querySelectorAll('[class^="eak-"]')].map((part) => {
    const style = getComputedStyle(part);
    const names = [...style].filter((name) => !name.startsWith('--'));
    return Object.fromEntries([['part', part.className], ...names.map((name) => [name, style.getPropertyValue(name)])]);
  });
}

function differences(plain: readonly Record<string, string>[], hosted: readonly Record<string, string>[]): string[] {
  return plain.flatMap((before, at) =>
    Object.keys(before)
      .filter((name) => before[name] !== hosted[at]?.[name])
      .map((name) => `${before.part} ${name}: ${before[name]} → ${hosted[at]?.[name]}`),
  );
}

const looksAsEverywhere: Story['play'] = async ({ canvas, canvasElement, userEvent, globals }) => {
  const t = getTexts(globals);
  await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86));
  await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
  await keepToast(t.duplicateEmail);
  await waitFor(() => expect(button(canvas, t)).toBeEnabled());
  await userEvent.clear(field(canvas, t));
  await userEvent.type(field(canvas, t), 'ada{Enter}');
  await waitFor(() => expect(canvas.getByText(t.invalidEmail)).toBeVisible());

  const host = canvasElement.querySelector<HTMLStyleElement>('style[data-host]');
  if (!host) throw new Error('the page has no styles');
  const hosted = looks();
  host.disabled = true;
  const plain = looks();
  host.disabled = false;
  await expect(plain.length).toBeGreaterThan(15);
  await expect(differences(plain, hosted)).toEqual([]);
  await expect(getComputedStyle(field(canvas, t)).outlineStyle).toBe('solid');
  await expectNoSidewaysScroll();
};

export const CssReset: Story = {
  name: 'CSS reset',
  args: { name: 'The new CSS reset', styles: reset },
  play: looksAsEverywhere,
};

export const ModernNormalize: Story = {
  name: 'modern-normalize',
  args: { name: 'modern-normalize', styles: normalize },
  play: looksAsEverywhere,
};

export const Bootstrap: Story = { args: { name: 'Bootstrap', styles: bootstrap }, play: looksAsEverywhere };

export const TailwindPreflight: Story = {
  name: 'Tailwind preflight',
  args: { name: 'Tailwind’s preflight', styles: preflight },
  play: looksAsEverywhere,
};
