/**
 * Checks every code block of every document. Blocks with a file name (```ts file=path) must be part of that file. In
 * other blocks, TypeScript compiles, shell commands, options and settings exist, and JSON, HTML and CSS are valid.
 */
import { cssErrors, htmlErrors, svelteErrors } from '../snippets/markup.ts';
import { shellErrors, unknownSetting } from '../snippets/shell.ts';
import { differsFromFile, readSnippets, type Snippet } from '../snippets/snippet.ts';
import { syntaxErrors, typeErrors } from '../snippets/typescript.ts';

/** The checks by language. A snippet in any other language is an error. */
const CHECKS: Readonly<Record<string, (snippet: Snippet) => string[] | Promise<string[]>>> = {
  sh: shellErrors,
  html: htmlErrors,
  svelte: svelteErrors,
  // Blocks must be part of a file, which `vue-tsc` checks in e2e/consumers/guides.spec.ts.
  vue: ({ document, code }) => [`${document}: a block of Vue has to name its file:\n${code}`],
  css: cssErrors,
  json: ({ document, code }) => {
    try {
      JSON.parse(code);
      return [];
    } catch (error) {
      return [`${document}: ${error}`];
    }
  },
  ini: async ({ document, code }) => {
    const unknown = await Promise.all(
      code
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .map(unknownSetting),
    );
    return unknown.flat().map((complaint) => `${document}: ${complaint}`);
  },
  // `faults/processes/proxies.test.ts` runs both programs with these configurations.
  caddy: () => [],
  nginx: () => [],
  // Output of programs, and headers.
  text: () => [],
  // Changes that `npm run task -- test:mutation` compares with the source.
  diff: () => [],
};

const snippets = readSnippets();
const free = snippets.filter(({ file }) => file === undefined);
const ofDocComments = free.filter(({ document }) => document.endsWith('/API.md'));
const compiled = free.filter((snippet) => /^[tj]sx?$/.test(snippet.language) && !ofDocComments.includes(snippet));
const complaints = snippets.flatMap(differsFromFile);
for (const snippet of ofDocComments) complaints.push(...(await syntaxErrors(snippet)));
for (const snippet of free.filter((candidate) => ![...compiled, ...ofDocComments].includes(candidate))) {
  const check = CHECKS[snippet.language];
  if (check) complaints.push(...(await check(snippet)));
  else complaints.push(`${snippet.document}: there is no check for "${snippet.language}":\n${snippet.code}`);
}
complaints.push(...(await typeErrors(compiled)));

for (const complaint of complaints) console.error(complaint);
const languages = [...new Set(snippets.map(({ language }) => language))];
const count = (name: string) => snippets.filter(({ language }) => language === name).length;
console.log(languages.map((name) => `${count(name)} ${name}`).join(', '));
if (complaints.length > 0) process.exitCode = 1;
