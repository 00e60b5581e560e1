import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldDeclarations } from 'early-access-kit/core';
import { ConfigError } from '../../app/config-error.ts';
import { describeError } from '../../app/ports/log.ts';
import { readTextFile } from '../../settings/text-file.ts';
import {
  type MailContent,
  type MailTemplate,
  type MailTemplates,
  mustacheTemplate,
  TEMPLATES,
  type TemplateData,
  type TemplateName,
} from './template.ts';

/** Extensions of React Email components, which `mails build` compiles to an email's files. */
export const SOURCE_TYPES = ['.tsx', '.jsx'];

export function listFiles(name: TemplateName): Readonly<Record<keyof MailContent, string>> {
  const { file } = TEMPLATES[name];
  return { subject: `${file}.subject.txt`, text: `${file}.txt`, html: `${file}.html` };
}

/**
 * Reads the templates in a folder: `welcome.subject.txt`, `welcome.txt` and `welcome.html`, for `mustacheTemplate`. The
 * emails `confirmation`, `reminder`, `invite`, `status`, `sign-in` and `weekly` are optional: if one of an email's
 * files exists, all of them must. Templates may use the host's `fields`, and include a file of the folder: `{{>
 * frame.html}}`. Throws a `ConfigError` with the file and the fix if one is missing or invalid.
 *
 * @example
 * createEarlyAccess({ store, mail: { transport, from, templates: readTemplates('emails') } });
 */
export function readTemplates(
  folder: string,
  fields: FieldDeclarations = {},
): MailTemplates & { readonly welcome: MailTemplate<TemplateData['welcome']> } {
  const isThere = (name: TemplateName) =>
    findSource(folder, name) !== null || Object.values(listFiles(name)).some((file) => existsSync(join(folder, file)));
  return {
    welcome: readTemplate(folder, 'welcome', fields),
    ...(isThere('confirmation') && { confirmation: readTemplate(folder, 'confirmation', fields) }),
    ...(isThere('reminder') && { reminder: readTemplate(folder, 'reminder', fields) }),
    ...(isThere('invite') && { invite: readTemplate(folder, 'invite', fields) }),
    ...(isThere('status') && { status: readTemplate(folder, 'status', fields) }),
    ...(isThere('signIn') && { signIn: readTemplate(folder, 'signIn', fields) }),
    ...(isThere('weekly') && { weekly: readTemplate(folder, 'weekly', fields) }),
  };
}

function readTemplate<Name extends TemplateName>(
  folder: string,
  name: Name,
  fields: FieldDeclarations,
): MailTemplate<TemplateData[Name]> {
  const files = listFiles(name);
  const parts: MailContent = {
    subject: readWhole(folder, files.subject, name),
    text: readWhole(folder, files.text, name),
    html: readWhole(folder, files.html, name),
  };
  try {
    return mustacheTemplate(parts, name, fields);
  } catch (error) {
    // The message starts with the name of a part.
    const reason = describeError(error).replace(/^(?:subject|text|html)/, (part) =>
      join(folder, part === 'subject' ? files.subject : part === 'text' ? files.text : files.html),
    );
    throw new ConfigError(`MAIL_TEMPLATES: ${reason}`);
  }
}

/** The component that an email is built from, if it is in the folder. */
function findSource(folder: string, name: TemplateName): string | null {
  const names = SOURCE_TYPES.map((type) => TEMPLATES[name].file + type);
  return names.find((file) => existsSync(join(folder, file))) ?? null;
}

/** `{{> frame.html}}` includes a file that emails share. */
const INCLUDE = /\{\{\s*>\s*([\w-]+\.(?:html|txt))\s*\}\}/g;

function readWhole(folder: string, part: string, name: TemplateName): string {
  const text = readPart(folder, part, name).replace(INCLUDE, (_, other: string) =>
    readPart(folder, other, name).trimEnd(),
  );
  const [wrong] = /\{\{\s*>[^}]*\}\}/.exec(text) ?? [];
  if (wrong === undefined) return text;
  const rule = 'must name a file of the folder, such as {{> frame.html}}, which includes no other';
  throw new ConfigError(`MAIL_TEMPLATES: ${join(folder, part)}: ${wrong} ${rule}`);
}

function readPart(folder: string, part: string, name: TemplateName): string {
  const file = join(folder, part);
  try {
    return readTextFile(file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const source = findSource(folder, name);
    const fix =
      source === null
        ? 'add it, or unset MAIL_TEMPLATES for the default email'
        : `build it from ${source}: early-access-server mails build ${folder}`;
    const reason = isMissing ? `is missing; ${fix}` : `cannot be read: ${describeError(error)}`;
    throw new ConfigError(`MAIL_TEMPLATES: ${file} ${reason}`);
  }
}
