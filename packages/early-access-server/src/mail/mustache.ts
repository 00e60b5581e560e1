import Mustache from 'mustache';
import { ConfigError } from '../app/host-mistakes.ts';
import { escapeHtml, type MailContent, type MailTemplate } from './email.ts';

/**
 * A template of three texts in Mustache's language, in which `{{…}}` may name the placeholders. In the HTML every one is escaped. Throws
 * a `ConfigError` that begins with the name of the part that cannot be used.
 */
export function compileMustache<Data extends object>(
  parts: MailContent,
  placeholders: readonly string[],
): MailTemplate<Data> {
  for (const part of ['subject', 'text', 'html'] as const) checkTemplate(part, parts[part], placeholders);
  const subject = parts.subject.trim();
  if (subject === '' || /[\r\n]/.test(subject)) throw new ConfigError('subject: it must be one line');
  const text = parts.text.trimEnd();
  const plain = { escape: String };
  return (data) => ({
    subject: Mustache.render(subject, data, {}, plain),
    text: Mustache.render(text, data, {}, plain),
    html: Mustache.render(parts.html, data, {}, { escape: (value) => escapeHtml(String(value)) }),
  });
}

function checkTemplate(part: keyof MailContent, template: string, placeholders: readonly string[]): void {
  try {
    checkTags(Mustache.parse(template), placeholders);
  } catch (error) {
    throw new ConfigError(`${part}: ${error instanceof Error ? error.message : 'it cannot be parsed'}`);
  }
}

/** A misspelt placeholder would silently leave a gap in every email. */
export function checkTags(tokens: readonly unknown[], placeholders: readonly string[]): void {
  for (const token of tokens) {
    if (!Array.isArray(token)) continue;
    const [type, name, , , inner]: unknown[] = token;
    if (type === 'text' || type === '!') continue;
    if (type === '>' || !placeholders.some((known) => known === name)) {
      const known = placeholders.map((placeholder) => `{{${placeholder}}}`).join(', ');
      throw new Error(`there is no {{${String(name)}}}; use ${known}`);
    }
    // What visitors have entered is always escaped.
    if (type === '&' && String(name).startsWith('fields.')) {
      throw new Error(`{{{${name}}}} would not be escaped; use {{${name}}}`);
    }
    if (Array.isArray(inner)) checkTags(inner, placeholders);
  }
}
