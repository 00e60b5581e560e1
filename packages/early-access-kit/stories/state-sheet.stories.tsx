import type { Meta, StoryObj } from '@storybook/react-vite';
import { EarlyAccessProvider, SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { useId, useState } from 'react';
import { expect, within } from 'storybook/test';
import { field } from './form-on-screen.ts';
import { FORM_STATES, type FormState } from './form-states.ts';
import { ServerRendered } from './server-rendered.tsx';
import { type Globals, getLanguage, getTexts } from './texts.ts';
import './state-sheet.css';

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

interface StateProps {
  state: FormState;
  globals: Globals;
}

function State({ state: { name, form, script, onServer }, globals }: StateProps) {
  const [adapter] = useState(() => memoryAdapter({ script }));
  const titleId = useId();
  const language = getLanguage(globals);
  return (
    <article className="sheet__state" aria-labelledby={titleId}>
      <h3 id={titleId} className="sheet__name">
        {name}
      </h3>
      {onServer ? (
        <ServerRendered form={form} language={language} />
      ) : (
        <EarlyAccessProvider adapter={adapter} {...language}>
          <SignupForm botGuard={false} {...form} />
        </EarlyAccessProvider>
      )}
    </article>
  );
}

/** All states of the form side by side, in light and dark, for reviewing style changes. */
const meta = {
  title: 'Widgets/State sheet',
  parameters: { layout: 'fullscreen', controls: { disable: true } },
} satisfies Meta;

export default meta;

const findCells = (canvasElement: HTMLElement, scheme: Scheme) => [
  ...canvasElement.querySelectorAll<HTMLElement>(`.sheet__scheme--${scheme} .sheet__state`),
];

export const SignupFormStates: StoryObj<typeof meta> = {
  name: 'Signup form',
  render: (_, { globals }) => (
    <main className="sheet">
      {SCHEMES.map((scheme) => (
        <section key={scheme} className={`sheet__scheme sheet__scheme--${scheme}`} aria-label={scheme}>
          {FORM_STATES.map((state) => (
            <State key={state.name} state={state} globals={globals} />
          ))}
        </section>
      ))}
    </main>
  ),
  play: async ({ canvasElement, globals }) => {
    const texts = getTexts(globals);
    for (const scheme of SCHEMES) {
      for (const [index, cell] of findCells(canvasElement, scheme).entries()) {
        await FORM_STATES[index]?.reach?.(within(cell), texts);
      }
    }
    // Submitting moved the focus. Set it on the form in the toolbar's color scheme.
    const scheme = String(globals.theme).endsWith('dark') ? 'dark' : 'light';
    const focused = findCells(canvasElement, scheme)[FORM_STATES.findIndex((state) => state.focused)];
    if (!focused) throw new Error('the sheet has no cell for the focused state');
    field(within(focused), texts).focus({ preventScroll: true });
    await expect(field(within(focused), texts)).toHaveFocus();
    await expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
  },
};
