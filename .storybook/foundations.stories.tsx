import brands from 'virtual:brands';
import type { Meta, StoryObj } from '@storybook/react-vite';
import type { CSSProperties, ReactNode } from 'react';
import { expect } from 'storybook/test';
import { brandTokens } from '../packages/early-access-server/src/app/brand/tokens.ts';
import './foundations.css';

type Palette = ReturnType<typeof brandTokens>['light'];
type Part = 'colors' | 'type' | 'corners' | 'strip';

/** Each color with its purpose, and the text color used on it. */
const COLORS: readonly (readonly [keyof Palette, string, keyof Palette])[] = [
  ['paper', 'Behind the sheet', 'inkOnPaper'],
  ['sheet', 'Behind the content', 'ink'],
  ['accent', 'Buttons', 'onAccent'],
  ['line', 'Borders', 'ink'],
  ['ink', 'Text', 'sheet'],
  ['muted', 'Secondary text', 'sheet'],
  ['link', 'Links', 'sheet'],
];

/** PrintMargin's strip: black to white, the process colors, and its own ink. */
const STRIP = ['#111', '#555', '#999', '#00a0dc', '#d9127d', '#ffd900', 'var(--f-accent)', '#fbf8f0'];

/** Dots that grow from left to right, like darker ink. */
const DOTS = Array.from({ length: 24 * 8 }, (_, dot) => ({
  x: (dot % 24) + 0.5,
  y: Math.floor(dot / 24) + 0.5,
  size: 0.04 + (dot % 24) * 0.021,
}));

function Foundations({ part, brand = 'neutral', theme }: { part: Part; brand?: string; theme?: string }) {
  const look = brands[brand as keyof typeof brands] ?? brands.neutral;
  const { light, dark, radius, family } = brandTokens(look);
  const palette = theme === 'dark' ? dark : light;
  const style = {
    '--f-paper': palette.paper,
    '--f-sheet': palette.sheet,
    '--f-line': palette.line,
    '--f-ink': palette.ink,
    '--f-muted': palette.muted,
    '--f-ink-on-paper': palette.inkOnPaper,
    '--f-accent': palette.accent,
    '--f-on-accent': palette.onAccent,
    '--f-link': palette.link,
    '--f-radius': `${radius.control}px`,
    '--f-sheet-radius': `${radius.sheet}px`,
    '--f-family': `${family}system-ui, sans-serif`,
  } as CSSProperties;
  const parts: Readonly<Record<Part, ReactNode>> = {
    colors: (
      <dl className="foundations-colors">
        {COLORS.map(([name, use, text]) => (
          <div key={name} style={{ background: palette[name], color: palette[text] }}>
            <dt>{name}</dt>
            <dd>
              {use}
              <br />
              <code>{palette[name]}</code>
            </dd>
          </div>
        ))}
      </dl>
    ),
    type: (
      <>
        <h2 className="foundations-title">You’re on the list</h2>
        <p>We’ll email you when it’s your turn. There is nothing else to do.</p>
        <p className="foundations-muted">You received this email because this address was added to the list.</p>
        <a href="#privacy">Privacy, in short</a>
      </>
    ),
    corners: (
      <div className="foundations-row">
        <span className="foundations-button">Button, {radius.control} px</span>
        <span className="foundations-field">Field, {radius.control} px</span>
        <span className="foundations-card">Sheet, {radius.sheet} px</span>
      </div>
    ),
    strip: (
      <>
        <div className="foundations-strip">
          {STRIP.map((color) => (
            <span key={color} style={{ background: color }} />
          ))}
        </div>
        <svg className="foundations-halftone" viewBox="0 0 24 8" aria-hidden>
          {DOTS.map(({ x, y, size }) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={size} />
          ))}
        </svg>
      </>
    ),
  };
  return (
    <main className="foundations" style={style}>
      <h1>{look.name}</h1>
      <div className="foundations-sheet">{parts[part]}</div>
    </main>
  );
}

/**
 * The basis of every page. `brandTokens` derives all of it from a few settings, for the server’s pages, emails and the
 * dashboard; the toolbar switches between brands.
 */
const meta = {
  title: 'Foundations/Brand',
  component: Foundations,
  parameters: { layout: 'fullscreen', controls: { disable: true } },
  args: { part: 'colors' },
  render: (args, { globals }) => (
    <Foundations
      {...args}
      brand={String(globals.brand)}
      theme={String(globals.theme).endsWith('dark') ? 'dark' : 'light'}
    />
  ),
} satisfies Meta<typeof Foundations>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Derived from `BRAND_COLOR` and `BRAND_BACKGROUND`, so that every text has a contrast of at least 4.5. */
export const Colors: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('term')).toHaveLength(COLORS.length);
  },
};

/** The font of `BRAND_FONT`, or the system’s. */
export const Type: Story = { args: { part: 'type' } };

/** `BRAND_RADIUS` for buttons and fields; sheets have one and a half times this radius. */
export const Corners: Story = {
  args: { part: 'corners' },
  globals: { brand: 'neutral' },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Button, 8 px')).toHaveStyle({ borderRadius: '8px' });
    await expect(canvas.getByText('Sheet, 12 px')).toHaveStyle({ borderRadius: '12px' });
  },
};

/**
 * PrintMargin’s decorations, as on the edge of a printed sheet: the control strip that printers measure, and a
 * halftone.
 */
export const StripAndHalftone: Story = { args: { part: 'strip' }, globals: { brand: 'printmargin' } };
