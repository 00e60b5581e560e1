import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

/** A code block of a document. */
export interface Snippet {
  /** Path from the root of the repository. */
  readonly document: string;
  readonly language: string;
  /**
   * The file that contains it, or a folder with such a file, if given: ```ts file=path. With a folder, files can be
   * renamed.
   */
  readonly file: string | undefined;
  readonly code: string;
}

/** Every page of the documentation site, and pages that only the repository or npm shows. */
const DOCUMENTS = globSync(
  [
    '*.md',
    'bench/README.md',
    'docs/**/*.md',
    'packages/early-access-kit/{API.md,docs/*.mdx}',
    '{packages,examples}/*/README.md',
  ],
  { cwd: ROOT },
);

/** Indented code has no language, so it could not be checked. */
const INDENTED = /(?<=\n\n) {4}(?![-*\d] ).+/;
const BLOCK = /^```(\w*)(?: file=(\S+))?\n(.*?)^```$/gms;

export function readSnippets(): Snippet[] {
  return DOCUMENTS.flatMap((document) => {
    const text = readFileSync(path.join(ROOT, document), 'utf8');
    const [indented] = INDENTED.exec(text.replaceAll(BLOCK, '')) ?? [];
    if (indented !== undefined) throw new Error(`${document} has code without a fence: ${indented}`);
    return [...text.matchAll(BLOCK)].map(([, language = '', file, code = '']) => ({ document, language, file, code }));
  });
}

/** Returns a complaint if the snippet, ignoring indentation, is not in its file or folder. */
export function differsFromFile({ document, file, code }: Snippet): string[] {
  if (file === undefined) return [];
  const flat = (text: string) => text.replaceAll(/^[ \t]+/gm, '');
  const files = file.endsWith('/') ? globSync(`${file}**/*.ts`, { cwd: ROOT }) : [file];
  return files.some((name) => flat(readFileSync(path.join(ROOT, name), 'utf8')).includes(flat(code)))
    ? []
    : [`${document} shows code that is not in ${file}:\n${code}`];
}
