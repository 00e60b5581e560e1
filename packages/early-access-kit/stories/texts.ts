import { englishSignupMessages, type Messages } from 'early-access-kit/core';
import { englishAdminMessages } from '../src/admin/messages.ts';

const english: Messages = { ...englishSignupMessages, ...englishAdminMessages };

/** What the toolbar and the URL set. */
export interface Globals {
  readonly [name: string]: unknown;
}

/** The widgets' texts in the language of the toolbar. Stories go by them, so that each state is reached in every language. */
export function textsOf(_globals: Globals): Messages {
  return english;
}

/** A number as the widgets write it in the page's language. */
export function numberIn(globals: Globals, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(localeOf(globals), options).format(value);
}

function localeOf({ locale }: Globals): string {
  return typeof locale === 'string' ? locale : 'en';
}
