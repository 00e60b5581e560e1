import type { Messages, SignupFormProps } from 'early-access-kit';
import type { MemoryScript } from 'early-access-kit/adapters/memory';
import { signupFields } from 'early-access-kit/fields';
import { turnstile } from 'early-access-kit/human/turnstile';
import { expect, fireEvent, waitFor } from 'storybook/test';
import { announcements, button, type Canvas, field, keepToast } from './form-on-screen.ts';

/** A state of the form, and how to reach it immediately and without a keyboard, so that many can be shown at once. */
export interface FormState {
  readonly name: string;
  readonly form?: SignupFormProps;
  readonly script?: MemoryScript;
  /** Rendered as on a server, before any script has run. */
  readonly onServer?: boolean;
  /** Only one field per page can have the focus, so the fields take turns. */
  readonly focused?: boolean;
  reach?(cell: Canvas, texts: Messages): Promise<void>;
}

/** A text and a consent. */
const FIELDS = signupFields({
  shop: { type: 'text', label: 'Name of your shop', required: true },
  terms: { type: 'checkbox', label: 'I agree to be contacted', required: true, consent: true },
});
const NO_ADDRESS = 'ada.example.org';
export const ADDRESS = 'ada@example.org';
/** An address of nearly the maximum length. */
export const LONG_ADDRESS = `${'ada.lovelace.'.repeat(4)}first@${'analytical-engines.'.repeat(9)}example.org`;

type Reach = NonNullable<FormState['reach']>;

const entered =
  (address: string): Reach =>
  async (cell, t) => {
    await fireEvent.input(field(cell, t), { target: { value: address } });
  };

const submitted =
  (address: string, settled: Reach): Reach =>
  async (cell, t) => {
    await entered(address)(cell, t);
    // Without an action, the button is disabled until the effects of the first render have run.
    await waitFor(() => expect(button(cell, t)).toBeEnabled());
    await fireEvent.click(button(cell, t));
    await settled(cell, t);
  };

const toasted = (which: 'signupSucceeded' | 'duplicateEmail' | 'signupFailed') =>
  submitted(ADDRESS, (cell, t) => keepToast(t[which], announcements(cell)));

const invalid: Reach = submitted(NO_ADDRESS, (cell, t) =>
  waitFor(() => expect(cell.getByText(t.invalidEmail)).toBeVisible()),
);

export const FORM_STATES: readonly FormState[] = [
  { name: 'Idle' },
  { name: 'Focused', focused: true },
  { name: 'Filled', reach: entered(ADDRESS) },
  { name: 'Prefilled', form: { defaultValue: ADDRESS } },
  { name: 'Very long address', reach: entered(LONG_ADDRESS) },
  {
    name: 'Submitting',
    script: { createSignup: { delay: 'forever' } },
    reach: submitted(ADDRESS, (cell, t) => waitFor(() => expect(cell.getByText(t.submitting)).toBeVisible())),
  },
  { name: 'Disabled', form: { disabled: true } },
  {
    name: 'Invalid without message',
    form: { errors: 'none' },
    reach: submitted(NO_ADDRESS, async (cell, t) => {
      await expect(cell.queryByText(t.invalidEmail)).toBeNull();
    }),
  },
  { name: 'Invalid', reach: invalid },
  { name: 'Without scripts', form: { action: '/api/signup-form' }, onServer: true },
  { name: 'Without scripts or an action', onServer: true },
  {
    name: 'Human check',
    form: { humanCheck: turnstile({ siteKey: 'site-key' }) },
    reach: submitted(ADDRESS, (cell, t) =>
      waitFor(() => expect(cell.getByRole('group', { name: t.confirmHuman })).toBeVisible()),
    ),
  },
  { name: 'Success', reach: toasted('signupSucceeded') },
  { name: 'Check your inbox', script: { createSignup: { pending: true } }, reach: toasted('signupSucceeded') },
  { name: 'Duplicate', script: { createSignup: { duplicate: true } }, reach: toasted('duplicateEmail') },
  { name: 'Failure', script: { createSignup: { fail: 'unavailable' } }, reach: toasted('signupFailed') },
  { name: 'Rate-limited', script: { createSignup: { fail: 'rate-limited' } }, reach: toasted('signupFailed') },
  { name: 'Offline', script: { every: { offline: true } }, reach: toasted('signupFailed') },
  { name: 'With fields', form: { fields: FIELDS } },
  { name: 'With fields, invalid', form: { fields: FIELDS }, reach: invalid },
];
