import type { Step } from '@early-access-kit/testkit/screen-reader';
import { waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import type { Messages } from '../core/messages.ts';

/** The steps of signing up with a screen reader, for the React form and the element. */

/** The memory adapter's result of each attempt. */
export const OUTCOMES = { createSignup: [{ duplicate: true }, { offline: true }, {}] };

export interface FormPage {
  readonly user: UserEvent;
  readonly messages: Messages;
  /** The element that contains the form. */
  readonly form: HTMLElement;
  /** The region of the toasts. */
  readonly toasts: HTMLElement;
  tab(): Promise<void>;
}

/** `docs/accessibility-form.mdx` lists these steps. */
export const SIGN_UP: readonly Step<FormPage>[] = [
  ['<kbd>Tab</kbd> to the field', ({ tab }) => tab()],
  ['Type "ada", press <kbd>Enter</kbd>', ({ user }) => user.keyboard('ada{Enter}')],
  ['Keep typing: the message disappears', ({ user }) => user.keyboard('@')],
  ['<kbd>Tab</kbd> to the button', ({ tab }) => tab()],
  ['Press <kbd>Enter</kbd> on the button: the focus goes to the field', ({ user }) => user.keyboard('{Enter}')],
  [
    'Complete the address, press <kbd>Enter</kbd>: it is already on the list',
    async (page) => {
      await page.user.keyboard('example.org{Enter}');
      await within(page.toasts).findByText(page.messages.duplicateEmail);
    },
  ],
  [
    'Press <kbd>Enter</kbd> again: the server cannot be reached',
    async (page) => {
      await page.user.keyboard('{Enter}');
      await within(page.toasts).findByText(page.messages.signupFailed);
    },
  ],
  [
    'Press <kbd>Enter</kbd> again: signed up, the focus goes to the success message',
    async (page) => {
      await page.user.keyboard('{Enter}');
      await within(page.toasts).findByText(page.messages.signupSucceeded);
      const title = within(page.form).getByText(page.messages.successTitle);
      await waitFor(() => expect(findFocus(page.form)).toBe(title.parentElement));
    },
  ],
];

/** Returns the focused element, even in a shadow root. */
function findFocus(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}
