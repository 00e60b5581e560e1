import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, parse, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FieldDeclarations } from 'early-access-kit/core';
import type { Message } from 'esbuild';
import { ConfigError } from '../app/config-error.ts';
import { loadOptional } from '../app/optional-package.ts';
import { describeError } from '../app/ports/log.ts';
import type { MailContent } from '../app/ports/mail-transport.ts';
import { findMisspelled } from '../app/text/nearest-name.ts';
import { MAIL_WORDS, mustacheTemplate, TEMPLATES, type TemplateName } from '../mail/templates/template.ts';
import { listFiles, SOURCE_TYPES } from '../mail/templates/template-files.ts';
import { readFields } from '../settings/settings.ts';
import { type Command, UsageError } from './command.ts';

const USAGE = 'usage: mails build <folder> [--out <folder>]';
const NEEDS = 'npm install --save-dev esbuild react react-dom @react-email/render';

/** The exports of an email's module and of its project's packages. */
interface Loaded {
  readonly email: Readonly<Record<string, unknown>>;
  createElement(component: unknown, props: object): unknown;
  render(element: unknown): Promise<string>;
  toPlainText(html: string, options: object): string;
}

interface Source {
  readonly name: TemplateName;
  readonly file: string;
}

/**
 * Converts React Email components to templates, so that the server does not need React. Components get placeholders
 * such as `{{name}}` as props; the result is validated like any other template. Writes nothing if one is invalid.
 */
export const mails: Command = async ({ args, env, stdout }) => {
  const { folder, out } = readArguments(args);
  const fields = readFields(env);
  const built: [file: string, text: string][] = [];
  for (const source of listSources(folder)) {
    const parts = await withLoaded(folder, source.file, (loaded) => renderParts(loaded, source, fields));
    check(parts, source, fields);
    const files = listFiles(source.name);
    built.push([files.subject, parts.subject], [files.text, parts.text], [files.html, parts.html]);
  }
  await mkdir(out, { recursive: true });
  for (const [name, text] of built) await writeFile(join(out, name), `${text.trimEnd()}\n`);
  for (const [name] of built) stdout.write(`Wrote    ${join(relative(process.cwd(), out) || '.', name)}\n`);
  return 0;
};

function readArguments([action, ...args]: readonly string[]): { readonly folder: string; readonly out: string } {
  const [folder, option, out] = args[0] === '--out' ? [args[2], args[0], args[1]] : args;
  const isComplete = folder !== undefined && !folder.startsWith('-') && args.length === (option === undefined ? 1 : 3);
  if (action !== 'build' || !isComplete || (option !== undefined && option !== '--out') || out === '') {
    throw new UsageError(USAGE);
  }
  return { folder: resolve(folder), out: resolve(out ?? folder) };
}

/** The email components in the folder. Throws a `ConfigError` if there are none, or one seems to be misspelled. */
function listSources(folder: string): readonly Source[] {
  const names = Object.entries(TEMPLATES).map(([name, { file }]) => ({ name: name as TemplateName, file }));
  const known = names.map(({ file }) => file);
  const found = readFolder(folder).flatMap((file) => {
    const { name, ext } = parse(file);
    if (!SOURCE_TYPES.includes(ext)) return [];
    const template = names.find((one) => one.file === name);
    if (template !== undefined) return [{ name: template.name, file }];
    const meant = findMisspelled(name, known);
    if (meant !== undefined)
      throw new ConfigError(`${join(folder, file)} is not an email; did you mean ${meant}${ext}?`);
    // A folder shared by several emails.
    return [];
  });
  if (found.length > 0) return found;
  throw new ConfigError(`${folder} has no emails, such as welcome.tsx; emails are ${known.join(', ')}`);
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new ConfigError(`${folder} cannot be read: ${describeError(error)}`);
  }
}

/**
 * Compiles and imports the module. The compiled file is temporarily written next to it, so that it finds the packages
 * of the folder's project.
 */
async function withLoaded<T>(folder: string, file: string, use: (loaded: Loaded) => Promise<T>): Promise<T> {
  const { build } = await loadOptional(() => import('esbuild'), `mails build needs packages: ${NEEDS}`);
  const contents = `export * as email from './${file}';
export { createElement } from 'react';
export { render, toPlainText } from '@react-email/render';`;
  const compiled = await build({
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', target: 'node22', packages: 'external' },
    ...{ jsx: 'automatic', logLevel: 'silent', stdin: { contents, resolveDir: folder } },
  }).catch((error: unknown) => {
    const [first] = Object(error).errors ?? [];
    throw new ConfigError(`${join(folder, file)}: ${first === undefined ? describeError(error) : describe(first)}`);
  });
  const temporary = join(folder, `.${parse(file).name}.${randomUUID()}.mjs`);
  await writeFile(temporary, compiled.outputFiles[0]?.text ?? '');
  try {
    const hint = `${join(folder, file)} needs packages: ${NEEDS}, and what it imports`;
    return await use(await loadOptional((): Promise<Loaded> => import(pathToFileURL(temporary).href), hint));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${join(folder, file)} cannot be rendered: ${describeError(error)}`);
  } finally {
    await rm(temporary);
  }
}

function describe({ text, location }: Message): string {
  return location === null ? text : `line ${location.line}: ${text}`;
}

async function renderParts(
  { email, createElement, render, toPlainText }: Loaded,
  { name, file }: Source,
  fields: FieldDeclarations,
): Promise<MailContent> {
  const props = listProps(name, fields);
  const html = (await render(createElement(email.default, props))).replaceAll(HYDRATION, '');
  return {
    subject: readPart(email.subject, props) ?? missing(file, 'subject'),
    text: readPart(email.text, props) ?? toPlainText(html, PLAIN_TEXT),
    html,
  };
}

/** Props that contain each placeholder as its own value. */
function listProps(name: TemplateName, fields: FieldDeclarations): Readonly<Record<string, unknown>> {
  const { placeholders } = TEMPLATES[name];
  const tags = (names: readonly string[], prefix = '') =>
    Object.fromEntries(names.map((one) => [one, `{{${prefix}${one}}}`]));
  return {
    ...tags(placeholders.filter((one) => one !== 'figures' && !one.includes('.'))),
    ...(placeholders.includes('unsubscribeUrl') && {
      fields: tags(Object.keys(fields), 'fields.'),
      words: tags(MAIL_WORDS, 'words.'),
    }),
  };
}

/** Comments that React adds for hydration. */
const HYDRATION = /<!--(?: |\/?\$)-->/g;

/** Headings in capitals would change the placeholders. */
const PLAIN_TEXT = {
  selectors: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
};

function readPart(part: unknown, props: object): string | null {
  const value: unknown = typeof part === 'function' ? part(props) : part;
  return typeof value === 'string' ? value : null;
}

function missing(file: string, part: string): never {
  throw new ConfigError(`${file} must export ${part}: a text, or a function of the props that returns one`);
}

function check(parts: MailContent, { name, file }: Source, fields: FieldDeclarations): void {
  try {
    mustacheTemplate(parts, name, fields);
  } catch (error) {
    throw new ConfigError(`${file}: ${describeError(error)}`);
  }
}
