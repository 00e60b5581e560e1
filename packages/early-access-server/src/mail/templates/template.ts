import type { FieldDeclarations, SignupFields } from 'early-access-kit/core';
import type { Brand } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import { fieldPaths } from '../../app/campaigns/placeholders.ts';
import { ConfigError } from '../../app/config-error.ts';
import type { WeeklyReport } from '../../app/mail/notice.ts';
import type { MailContent } from '../../app/ports/mail-transport.ts';
import { choiceLabel } from '../../app/signup/fields.ts';
import { compileText } from '../compose/mustache.ts';
import { wrap } from '../compose/wrap.ts';
import { escapeHtml } from './escape-html.ts';

export type { MailContent } from '../../app/ports/mail-transport.ts';
export { escapeHtml } from './escape-html.ts';

/** Creates the content of an email. Called at the start and for every attempt, so it must not have side effects. */
export type MailTemplate<Data> = (data: Data) => MailContent;

/** The brand, with the URLs of its files on the server. */
export interface MailBrand extends Brand {
  /** The mark if it is a PNG, because most mail programs do not show SVG. */
  readonly markUrl?: string | undefined;
  readonly fontUrl?: string | undefined;
  readonly fontWeights?: string | undefined;
}

interface MailData extends MailBrand {
  /** `url` in short form: `www.example.com`. */
  readonly host: string;
}

/** The texts of the default email, for templates that only change the design. */
export type MailWords = Readonly<Record<(typeof MAIL_WORDS)[number], string>>;

/** The data of every email to a person on the list: the brand, its normalized URLs, and how to leave the list. */
export interface PersonMailData extends MailData {
  /** The unsubscribe page, or a `mailto:` URL that asks the sender to delete the address. */
  readonly unsubscribeUrl: string;
  /** The person's private page, if `STATUS_PAGE` is on. */
  readonly statusUrl?: string | undefined;
  /**
   * The values that the person entered into the host's fields. Any may be missing, if older pages did not ask for it.
   */
  readonly fields: SignupFields;
  /** The language at signup, or `MAIL_LANGUAGE`. The server sets language, direction and words. */
  readonly language?: Language | undefined;
  readonly direction?: 'ltr' | 'rtl' | undefined;
  /** The default email in that language. */
  readonly words?: MailWords | undefined;
}

/** The data of an email with a personal link. */
export interface LinkData extends PersonMailData {
  /** Works once. It must be in the text and in the HTML, but not in the URL of anything that is loaded. */
  readonly link: string;
  readonly days: number;
}

/** The data of the email with the link to the person's status page, which they requested. */
export interface StatusData extends PersonMailData {
  /** It must be in the text and in the HTML, but not in the URL of anything that is loaded. */
  readonly statusUrl: string;
}

/** The data of the email with an admin's sign-in link. */
export interface SignInData extends MailData {
  /**
   * Signs in the first person who opens it. It must be in the text and in the HTML, but not in the URL of anything that
   * is loaded.
   */
  readonly link: string;
  readonly minutes: number;
}

/** The data of an admin's weekly email. */
export interface WeeklyData extends MailData, WeeklyReport {
  readonly dashboardUrl: string;
}

/** The emails that a host can replace, and the data of each. */
export interface TemplateData {
  readonly welcome: PersonMailData;
  /** Asks the person to confirm their address. */
  readonly confirmation: LinkData;
  /** Repeats the confirmation. */
  readonly reminder: LinkData;
  /** Invites the person to the product. */
  readonly invite: LinkData;
  readonly status: StatusData;
  readonly signIn: SignInData;
  readonly weekly: WeeklyData;
}

/** The placeholders that the weekly email repeats for each figure. */
type OfFigures = 'period' | 'label' | 'value' | 'change';
type TagName<Data, Name> =
  | Exclude<
      keyof Data & string,
      Exclude<keyof Brand, 'name' | 'url' | 'logo'> | keyof WeeklyReport | 'fields' | 'words' | 'fontWeights'
    >
  | (Name extends 'weekly' ? OfFigures : never);

/**
 * The props of a React Email component for `mails build`. Each value is a placeholder such as `{{name}}`, which the
 * server replaces in each email.
 */
export type MailProps<Name extends keyof TemplateData = 'welcome'> = Readonly<
  Record<TagName<TemplateData[Name], Name>, string>
> &
  ('fields' extends keyof TemplateData[Name]
    ? { readonly fields: Readonly<Record<string, string>>; readonly words: MailWords }
    : unknown);

/** The emails that a host can replace, by name. */
export type TemplateName = keyof TemplateData;

/** Replaces the default emails. */
export type MailTemplates = { readonly [Name in TemplateName]?: MailTemplate<TemplateData[Name]> | undefined };

const BRAND = ['name', 'url', 'host', 'logo', 'markUrl', 'fontUrl'];
/** The names of the default emails' texts, which templates may use: `{{words.heading}}`. */
export const MAIL_WORDS = [
  'subject',
  'preview',
  'heading',
  'intro',
  'button',
  'closingHeading',
  'closingText',
  'onListOf',
  'yourData',
  'yourPage',
  'unwanted',
  'leave',
] as const;
const TO_PERSON = [
  ...[...BRAND, 'unsubscribeUrl', 'statusUrl', 'language', 'direction'],
  ...MAIL_WORDS.map((word) => `words.${word}`),
];
const WITH_LINK = [...TO_PERSON, 'link', 'days'];

/** The file names of each email, and its placeholders. */
export const TEMPLATES: Readonly<
  Record<TemplateName, { readonly file: string; readonly placeholders: readonly string[] }>
> = {
  welcome: { file: 'welcome', placeholders: TO_PERSON },
  confirmation: { file: 'confirmation', placeholders: WITH_LINK },
  reminder: { file: 'reminder', placeholders: WITH_LINK },
  invite: { file: 'invite', placeholders: WITH_LINK },
  status: { file: 'status', placeholders: TO_PERSON },
  signIn: { file: 'sign-in', placeholders: [...BRAND, 'link', 'minutes'] },
  weekly: {
    file: 'weekly',
    placeholders: [...BRAND, 'period', 'dashboardUrl', 'figures', 'label', 'value', 'change'],
  },
};

/**
 * Creates a template from three Mustache texts, for the welcome email by default. In the HTML every `{{placeholder}}`
 * is escaped. Emails to people may contain the host's `fields`: `{{fields.company}}` (for a choice, its label), and
 * `{{fields.role.value}}` for the stored value. Throws a `ConfigError` that starts with the name of the invalid part.
 *
 * @example
 * const parts = { subject: 'Welcome', text: 'Thanks! {{url}}', html: '<a href="{{url}}">Thanks!</a>' };
 * const templates = { welcome: mustacheTemplate(parts) };
 */
export function mustacheTemplate<Name extends TemplateName = 'welcome'>(
  parts: MailContent,
  name?: Name,
  fields: FieldDeclarations = {},
): MailTemplate<TemplateData[Name]> {
  const { placeholders } = TEMPLATES[name ?? 'welcome'];
  const own = placeholders.includes('unsubscribeUrl') ? fieldPaths(Object.keys(fields)) : [];
  const labelOf = choiceLabel(fields);
  const subject = parts.subject.trim();
  if (subject === '' || /[\r\n]/.test(subject)) throw new ConfigError('subject: it must be one line');
  function compile(part: keyof MailContent, text: string) {
    try {
      return compileText(text, [...placeholders, ...own], part === 'html' ? escapeHtml : String, labelOf);
    } catch (error) {
      throw new ConfigError(`${part}: ${error instanceof Error ? error.message : 'it cannot be parsed'}`);
    }
  }
  const render = {
    subject: compile('subject', subject),
    text: compile('text', parts.text.trimEnd()),
    html: compile('html', parts.html),
  };
  return (data) => ({
    subject: render.subject(data),
    text: render.text('words' in data && data.words ? { ...data, words: wrapped(data.words) } : data),
    html: render.html(data),
  });
}

/** Wrapped for plain text. */
function wrapped(words: MailWords): object {
  return Object.fromEntries(Object.entries(words).map(([name, text]) => [name, wrap(text)]));
}
