import type { Preview } from '@storybook/react-vite';
// Imported first, because it defines the order of the cascade layers.
import './preview.css';
import 'early-access-kit/styles.css';
import 'early-access-kit/themes/lagoon.css';
import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import { configure } from 'storybook/test';
import { completeArgTypes, FIXED_PROPS } from './controls.ts';
import { DocsPage } from './docs-page.tsx';
import { applyGlobals } from './globals.ts';
import { checkOtherScheme } from './other-scheme.ts';
import { globalTypes, initialGlobals, viewports } from './toolbar.ts';

// Only a hanging story reaches this limit, even on a busy machine.
configure({ asyncUtilTimeout: HANGING_MS });

/** True while Vitest runs the stories, false in Storybook itself. */
const isTest = import.meta.env.VITEST_STORYBOOK === 'false';

// Stories also run in frames on a docs page, where focusing an element would scroll the page while someone reads it.
if (globalThis.frameElement?.matches('.docs-frame iframe')) {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (options) {
    focus.call(this, { ...options, preventScroll: true });
  };
}

const preview: Preview = {
  globalTypes,
  initialGlobals: { ...initialGlobals, ...(isTest && { theme: 'light' }) },
  tags: ['autodocs'],
  parameters: {
    // Accessibility violations fail the story's test. Tests do not need the list of passed rules.
    a11y: { test: 'error', ...(isTest && { options: { resultTypes: ['violations'] } }) },
    backgrounds: { disable: true },
    // The docs pages list the fixed props, too.
    controls: { expanded: true, exclude: FIXED_PROPS },
    docs: { codePanel: true, page: DocsPage },
    viewport: { options: viewports },
    options: {
      storySort: {
        order: [
          'Foundations',
          'Guide',
          [
            'Getting started',
            'Theming',
            'Messages',
            'Adapters',
            'Accessibility',
            'Accessibility: form',
            'Accessibility: toasts',
            'Accessibility: overlay',
            'Tracker and privacy',
            'Testing',
          ],
          'Widgets',
          [
            'Signup form',
            'Signup form with fields',
            'Email suggestion',
            'Human checks',
            'Share link',
            'Toasts',
            'Session tracker',
            'Access dialog',
            'Counter box',
            'Analytics panel',
            'Provider',
            'State sheet',
          ],
          'Server pages',
          ['Join and form', 'Results', 'Confirm', 'Status', 'Invite', 'Unsubscribe'],
          'Emails',
          [
            'Confirmation',
            'Reminder',
            'Welcome',
            'Status link',
            'Invitation',
            'Campaign',
            'Sign-in link',
            'Weekly',
            'New signups',
            'Webhook disabled',
            'Campaigns paused',
            'Passkey added',
            'Test email',
          ],
          'Landing page',
          ['Whole page', '404 page'],
          'Dashboard',
          [
            'Sign-in',
            'Overview',
            'People',
            'Person',
            'Act on all',
            'Import',
            'Invites',
            'Campaigns',
            'Mail',
            'Webhooks',
            'API keys',
            'Health',
            'Settings',
            'Team',
            'Passkeys',
            'Command palette',
          ],
          'Hosts',
        ],
      },
    },
  },
  argTypesEnhancers: [completeArgTypes],
  decorators: [
    (Story, { globals }) => {
      applyGlobals(globals);
      return <Story />;
    },
  ],
  // Only in tests, because it flickers.
  ...(isTest && import.meta.env.BOTH_SCHEMES && { afterEach: ({ globals }) => checkOtherScheme(globals) }),
};

export default preview;
