import { entries, expect, test } from './catalogue.ts';

/** Every visible state, by story id. */
const STATES = {
  'widgets-signup-form': [
    'idle',
    'focused',
    'filled',
    'invalid',
    'invalid-without-message',
    'submitting',
    'success',
    'duplicate',
    'failure',
    'rate-limited',
    'offline',
    'disabled',
    'very-long-address',
    'prefilled',
    'without-scripts',
    'without-scripts-nor-action',
  ],
  'widgets-human-checks': ['asks', 'answered', 'succeeds', 'fails'],
  'widgets-state-sheet': ['signup-form-states'],
  'widgets-toasts': ['success', 'failure', 'several', 'long-text', 'dismissed'],
  'widgets-access-dialog': ['empty', 'typing', 'wrong-address', 'checking', 'unreachable'],
  'widgets-counter-box': ['loading', 'figures', 'zero', 'million', 'unreachable'],
  'widgets-analytics-panel': ['loading', 'figures', 'empty', 'unreachable', 'logout'],
  'flows-signing-up': ['type-submit-toast-success', 'failure-then-recovery', 'invalid-then-corrected'],
  'flows-reading-the-figures': ['unlock-then-log-out', 'unreachable-then-back'],
  'hosts-hostile-styles': ['css-reset', 'modern-normalize', 'bootstrap', 'tailwind-preflight'],
  'conditions-forced-colors': ['signup-form-forced'],
  'conditions-zoom': ['signup-form-zoomed', 'success-zoomed', 'access-dialog-zoomed', 'analytics-panel-zoomed'],
  'conditions-right-to-left': ['signup-form-mirrored', 'analytics-panel-mirrored'],
  'conditions-reduced-motion': ['toast-at-rest'],
  'emails-welcome': ['desktop', 'phone', 'dark', 'second-brand', 'second-brand-phone-dark', 'long-name'],
  'emails-printmargin-welcome': ['desktop', 'phone', 'dark', 'phone-dark'],
};

/** Stories of the site: the landing page, the 404 page and the sections. */
const LANDING_PAGE = [
  'Whole page',
  '404 page',
  'Hero',
  'Sample card',
  'How It Works',
  'Header',
  'Benefits',
  'Before vs After',
  'Second form',
  'Footer',
];

const listed = entries();

for (const [component, states] of Object.entries(STATES)) {
  test(`${component} has a story for each state`, () => {
    const stories = listed.filter(({ type }) => type === 'story').map(({ id }) => id);
    expect(stories).toEqual(expect.arrayContaining(states.map((state) => `${component}--${state}`)));
  });
}

test('the landing page has a story for each section', () => {
  const titles = new Set(listed.map(({ title }) => title));
  for (const section of LANDING_PAGE) expect(titles).toContain(`Landing page/${section}`);
});

test('the guide is complete, and every widget has a page', () => {
  const docs = listed.filter(({ type }) => type === 'docs').map(({ id }) => id);
  const guide = [
    'getting-started',
    'theming',
    'messages',
    'adapters',
    'accessibility',
    'accessibility-form',
    'accessibility-toasts',
    'accessibility-overlay',
    'tracker-and-privacy',
  ];
  const widgets = [
    'signup-form',
    'toasts',
    'access-dialog',
    'counter-box',
    'analytics-panel',
    'provider',
    'session-tracker',
  ];
  expect(docs).toEqual(
    expect.arrayContaining([
      ...guide.map((page) => `guide-${page}--docs`),
      ...widgets.map((page) => `widgets-${page}--docs`),
    ]),
  );
});
