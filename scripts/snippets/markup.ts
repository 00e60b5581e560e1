import { readFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '@early-access-kit/testkit/packages';
import { transform } from 'esbuild';
import { parse, parseFragment } from 'parse5';
import { ROOT } from '../run.ts';
import type { Snippet } from './snippet.ts';

const ELEMENTS = ['types.ts', 'count-script.ts']
  .map((file) => readFileSync(path.join(ROOT, KIT, 'src/embed', file), 'utf8'))
  .join('\n');
/** Hosts can set the custom properties that this stylesheet reads. */
const THEME = readFileSync(path.join(ROOT, KIT, 'src/theme.css'), 'utf8');
const PROPERTIES = new Set(THEME.match(/(?<=var\(\s*)--eak-[\w-]+/g));

/** Returns parse errors of the HTML, and unknown elements of the kit. */
export function htmlErrors({ document, code }: Snippet): string[] {
  const complaints: string[] = [];
  const parseAny = code.startsWith('<!doctype') ? parse : parseFragment;
  parseAny(code, { onParseError: ({ code, startLine }) => complaints.push(`${code} in line ${startLine}`) });
  const unknown = [...code.matchAll(/<(early-access-\w+)/g)].filter(([, name]) => !ELEMENTS.includes(`'${name}'`));
  complaints.push(...unknown.map(([, name]) => `no element ${name}`));
  return complaints.map((complaint) => `${document}: ${complaint} of\n${code}`);
}

/**
 * Returns syntax errors of a Svelte component's script, and errors in its markup except for Svelte's own attributes.
 */
export async function svelteErrors(snippet: Snippet): Promise<string[]> {
  const code = snippet.code.replaceAll(/ \{@\w+ \w+\}/g, '');
  const scripts = [...code.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const complaints = scripts.map((script) =>
    transform(script, { loader: 'js', logLevel: 'silent' }).then(
      () => [],
      (error: Error) => [`${snippet.document}: ${error.message}`],
    ),
  );
  return [...htmlErrors({ ...snippet, code }), ...(await Promise.all(complaints)).flat()];
}

/** Returns the compiler's warnings about the CSS, and unknown custom properties of the kit. */
export async function cssErrors({ document, code }: Snippet): Promise<string[]> {
  const { warnings } = await transform(code, { loader: 'css', logLevel: 'silent' });
  const unknown = [...code.matchAll(/--eak-[\w-]+/g)].filter(([name]) => !PROPERTIES.has(name));
  return [...warnings.map(({ text }) => text), ...unknown.map(([name]) => `no property ${name}`)].map(
    (complaint) => `${document}: ${complaint}`,
  );
}
