import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { reasonOf } from '../app/log.ts';
import { type MailContent, type MailTemplate, mustacheTemplate, type WelcomeData } from './template.ts';

const FILES = { subject: 'welcome.subject.txt', text: 'welcome.txt', html: 'welcome.html' };

/**
 * Reads the templates in a folder: `welcome.subject.txt`, `welcome.txt` and `welcome.html`, for `mustacheTemplate`. Throws a
 * `ConfigError` that names the file and the fix if one is missing or cannot be used.
 */
export function readTemplates(folder: string): { readonly welcome: MailTemplate<WelcomeData> } {
  const parts: MailContent = {
    subject: readPart(folder, FILES.subject),
    text: readPart(folder, FILES.text),
    html: readPart(folder, FILES.html),
  };
  try {
    return { welcome: mustacheTemplate(parts) };
  } catch (error) {
    // It begins with the name of a part.
    const reason = reasonOf(error).replace(/^(subject|text|html)/, (part) => join(folder, fileOf(part)));
    throw new ConfigError(`MAIL_TEMPLATES: ${reason}`);
  }
}

function fileOf(part: string): string {
  return part === 'subject' ? FILES.subject : part === 'text' ? FILES.text : FILES.html;
}

function readPart(folder: string, name: string): string {
  const file = join(folder, name);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const reason = isMissing
      ? 'is missing; add it, or unset MAIL_TEMPLATES for the default email'
      : `cannot be read: ${reasonOf(error)}; it must be a text in UTF-8`;
    throw new ConfigError(`MAIL_TEMPLATES: ${file} ${reason}`);
  }
}
