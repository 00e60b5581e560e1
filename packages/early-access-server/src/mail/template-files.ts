import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { reasonOf } from '../app/log.ts';
import {
  type MailContent,
  type MailTemplate,
  type MailTemplates,
  mustacheTemplate,
  signInTemplate,
  type WelcomeData,
  weeklyTemplate,
} from './template.ts';

/** The names of an email's three files. */
const filesOf = (email: string): Readonly<Record<keyof MailContent, string>> => ({
  subject: `${email}.subject.txt`,
  text: `${email}.txt`,
  html: `${email}.html`,
});

/**
 * Reads the templates in a folder: `welcome.subject.txt`, `welcome.txt` and `welcome.html`, for `mustacheTemplate`; and, if one of them
 * is there, those of `sign-in` and `weekly`. Throws a `ConfigError` that names the file and the fix if one is missing or cannot be used.
 */
export function readTemplates(folder: string): MailTemplates & { readonly welcome: MailTemplate<WelcomeData> } {
  const isThere = (email: string) => Object.values(filesOf(email)).some((name) => existsSync(join(folder, name)));
  return {
    welcome: readTemplate(folder, 'welcome', mustacheTemplate),
    ...(isThere('sign-in') && { signIn: readTemplate(folder, 'sign-in', signInTemplate) }),
    ...(isThere('weekly') && { weekly: readTemplate(folder, 'weekly', weeklyTemplate) }),
  };
}

function readTemplate<Data>(
  folder: string,
  email: string,
  compile: (parts: MailContent) => MailTemplate<Data>,
): MailTemplate<Data> {
  const files = filesOf(email);
  const parts: MailContent = {
    subject: readPart(folder, files.subject),
    text: readPart(folder, files.text),
    html: readPart(folder, files.html),
  };
  try {
    return compile(parts);
  } catch (error) {
    // It begins with the name of a part.
    const reason = reasonOf(error).replace(/^(?:subject|text|html)/, (part) =>
      join(folder, part === 'subject' ? files.subject : part === 'text' ? files.text : files.html),
    );
    throw new ConfigError(`MAIL_TEMPLATES: ${reason}`);
  }
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
