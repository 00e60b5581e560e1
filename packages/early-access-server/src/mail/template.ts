import Mustache from 'mustache';
import type { Brand } from '../app/brand.ts';
import { ConfigError } from '../app/config-error.ts';

/** What a template makes: the content of one email. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  /** The plain text, for programs and people that prefer it. */
  readonly text: string;
  /** A whole HTML document. Values from outside must be escaped in it: see `escapeHtml`. */
  readonly html: string;
}

/** Makes the content of an email. It is called for every delivery attempt and at the start, so it must not have effects. */
export type MailTemplate<Data> = (data: Data) => MailContent;

/** What the welcome email can say: the brand, its URLs in normal form, and how to leave the list. */
export interface WelcomeData extends Brand {
  /** `url` as people write it: `www.example.com`. */
  readonly host: string;
  /** A `mailto:` URL that asks the sender to delete the address. */
  readonly unsubscribeUrl: string;
}

/** Replaces the default emails. */
export interface MailTemplates {
  readonly welcome?: MailTemplate<WelcomeData> | undefined;
}

/** What `{{…}}` may name in the welcome email. */
const PLACEHOLDERS: readonly (keyof WelcomeData)[] = ['name', 'url', 'host', 'logo', 'unsubscribeUrl'];

/**
 * A template of three texts in Mustache's language. In the HTML every `{{placeholder}}` is escaped. Throws a `ConfigError` that begins
 * with the name of the part that cannot be used.
 */
export function mustacheTemplate(parts: MailContent): MailTemplate<WelcomeData> {
  for (const part of ['subject', 'text', 'html'] as const) checkTemplate(part, parts[part]);
  const subject = parts.subject.trim();
  if (subject === '' || /[\r\n]/.test(subject)) throw new ConfigError('subject: it must be one line');
  const text = parts.text.trimEnd();
  const plain = { escape: String };
  return (data) => ({
    subject: Mustache.render(subject, data, {}, plain),
    text: Mustache.render(text, data, {}, plain),
    html: Mustache.render(parts.html, data, {}, { escape: escapeHtml }),
  });
}

function checkTemplate(part: keyof MailContent, template: string): void {
  try {
    checkTags(Mustache.parse(template));
  } catch (error) {
    throw new ConfigError(`${part}: ${error instanceof Error ? error.message : 'it cannot be parsed'}`);
  }
}

/** A misspelt placeholder would silently leave a gap in every email. */
function checkTags(tokens: readonly unknown[]): void {
  for (const token of tokens) {
    if (!Array.isArray(token)) continue;
    const [type, name, , , inner]: unknown[] = token;
    if (type === 'text' || type === '!') continue;
    if (type === '>' || !PLACEHOLDERS.some((known) => known === name)) {
      const known = PLACEHOLDERS.map((placeholder) => `{{${placeholder}}}`).join(', ');
      throw new Error(`there is no {{${String(name)}}}; use ${known}`);
    }
    if (Array.isArray(inner)) checkTags(inner);
  }
}

/** The text for use in HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
