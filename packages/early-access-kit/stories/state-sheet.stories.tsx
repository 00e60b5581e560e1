import type { Meta, StoryObj } from '@storybook/react-vite';
import { EarlyAccessProvider, SignupForm } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { useId, useState } from 'react';
import { expect, within } from 'storybook/test';
import { installTurnstile } from '../src/human/turnstile.fixture.ts';
import { field } from './form-on-screen.ts';
import { FORM_STATES, type FormState } from './form-states.ts';
import { ServerRendered } from './server-rendered.tsx';
import { type Globals, getLanguage, getTexts } from './texts.ts';
import './state-sheet.css';

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
      <h2 id={titleId} className="sheet__name">
        {name}
      </h2>
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

/** All states of the form side by side, in the toolbar's color scheme, for reviewing style changes. */
const meta = {
  title: 'Widgets/State sheet',
  parameters: { layout: 'fullscreen', controls: { disable: true } },
  beforeEach: () => installTurnstile(({ ask }) => ask()).uninstall,
} satisfies Meta;

export default meta;

export const SignupFormStates: StoryObj<typeof meta> = {
  name: 'Signup form',
  render: (_, { globals }) => (
    <main className="sheet">
      {FORM_STATES.map((state) => (
        <State key={state.name} state={state} globals={globals} />
      ))}
    </main>
  ),
  play: async ({ canvas, globals }) => {
    const texts = getTexts(globals);
    const cells = canvas.getAllByRole('article').map((cell) => within(cell));
    for (const [index, cell] of cells.entries()) await FORM_STATES[index]?.reach?.(cell, texts);
    // Submitting moved the focus.
    const focused = cells[FORM_STATES.findIndex((state) => state.focused)];
    if (!focused) throw new Error('the sheet has no cell for the focused state');
    field(focused, texts).focus({ preventScroll: true });
    await expect(field(focused, texts)).toHaveFocus();
    await expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
  },
};
