import type { Brand } from '../app/brand.ts';
import type { MailContent, MailTemplate } from './mail-content.ts';
import { compileMustache } from './mustache.ts';

export { escapeHtml, type MailContent, type MailTemplate } from './mail-content.ts';

/** What the welcome email can say: the brand, its URLs in normal form, and how to leave the list. */
export interface WelcomeData extends Brand {
  /** `url` as people write it: `www.example.com`. */
  readonly host: string;
  /** A `mailto:` URL that asks the sender to delete the address. */
  readonly unsubscribeUrl: string;
}

/** What the email with an admin's sign-in link can say. */
export interface SignInData extends Brand {
  /** `url` as people write it. */
  readonly host: string;
  /** Signs in whoever opens it first. It must be in the text and in the HTML, and in nothing that is loaded. */
  readonly link: string;
  /** How long the link works. */
  readonly minutes: number;
}

/** What an admin's email about the last week can say. */
export interface WeeklyData extends Brand {
  /** `url` as people write it. */
  readonly host: string;
  /** The days of the week: `16 – 22 March 2026`. */
  readonly period: string;
  /** Where the dashboard is. */
  readonly dashboardUrl: string;
  /** As text in which nothing is left to format; `change` compares with the week before and may be empty. */
  readonly figures: readonly { readonly label: string; readonly value: string; readonly change: string }[];
}

/** Replaces the default emails. */
export interface MailTemplates {
  readonly welcome?: MailTemplate<WelcomeData> | undefined;
  readonly signIn?: MailTemplate<SignInData> | undefined;
  readonly weekly?: MailTemplate<WeeklyData> | undefined;
}

/** What `{{…}}` may name in each email. */
const WELCOME_PLACEHOLDERS = ['name', 'url', 'host', 'logo', 'unsubscribeUrl'];
const SIGN_IN_PLACEHOLDERS = ['name', 'url', 'host', 'logo', 'link', 'minutes'];
const WEEKLY_PLACEHOLDERS = [
  'name',
  'url',
  'host',
  'logo',
  'period',
  'dashboardUrl',
  'figures',
  'label',
  'value',
  'change',
];

/**
 * A template of three texts in Mustache's language. In the HTML every `{{placeholder}}` is escaped. Throws a `ConfigError` that begins
 * with the name of the part that cannot be used.
 */
export function mustacheTemplate(parts: MailContent): MailTemplate<WelcomeData> {
  return compileMustache(parts, WELCOME_PLACEHOLDERS);
}

export function signInTemplate(parts: MailContent): MailTemplate<SignInData> {
  return compileMustache(parts, SIGN_IN_PLACEHOLDERS);
}

export function weeklyTemplate(parts: MailContent): MailTemplate<WeeklyData> {
  return compileMustache(parts, WEEKLY_PLACEHOLDERS);
}
