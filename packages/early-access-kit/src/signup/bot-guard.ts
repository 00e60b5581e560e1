import { HONEYPOT_FIELD } from '../core/protocol.ts';

/**
 * Minimum time from the first render to a submission; a faster one, such as an autofill, is delayed until then. Well
 * below one second, Testing Library's default timeout, so that hosts' tests are not affected.
 */
export const MIN_FILL_MS = 300;

/** Props of a hidden input that simple bots fill in. 1Password and LastPass ignore it. */
export const HONEYPOT_PROPS = {
  name: HONEYPOT_FIELD,
  tabIndex: -1,
  autoComplete: 'off',
  'aria-hidden': true,
  'data-1p-ignore': true,
  'data-lpignore': true,
} as const;
