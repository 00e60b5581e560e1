import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../run.ts';
import { markdownTable } from './table.ts';

/** Wordings that have a direct form, and how many are left at most. Some uses are right, so few limits are 0. */
const PATTERNS = [
  { name: 'comment: What …', where: 'comments', pattern: /^What\b/g, limit: 0 },
  { name: 'comment: Of/By/For/With …', where: 'comments', pattern: /^(At|By|For|From|In|Of|To|With)\b/g, limit: 3 },
  {
    name: 'function: …Of',
    where: 'functions',
    pattern: /(?<![sS]ign|[sS]igned)(At|By|For|From|In|Of|On|To|With)$/g,
    limit: 30,
  },
  { name: 'so many/long', where: 'text', pattern: phrase('so (many|long)(?! as)'), limit: 1 },
  { name: 'any more', where: 'text', pattern: phrase('any ?more'), limit: 0 },
  { name: 'go on', where: 'text', pattern: phrase('(go|goes|going|gone|went) on'), limit: 0 },
  { name: 'whoever/whatever', where: 'text', pattern: phrase('(who|what)ever'), limit: 0 },
  { name: 'of its/their own', where: 'text', pattern: phrase('of (its|their) own'), limit: 4 },
  { name: 'those that/of', where: 'text', pattern: phrase('those (that|of)'), limit: 14 },
  { name: 'begun', where: 'text', pattern: phrase('begun'), limit: 2 },
  { name: 'stays', where: 'text', pattern: phrase('stays'), limit: 3 },
] as const;

/** `node scripts/documents/words.ts [--list] [folder…]` prints how often each pattern occurs; with `--list` also each place. */
if (import.meta.main) {
  const counted = countWords(process.argv.slice(2).filter((argument) => argument !== '--list'));
  if (process.argv.includes('--list')) console.log(counted.flatMap(({ places }) => places).join('\n'));
  const rows = counted.map(({ name, places, limit }) => [name, String(places.length), String(limit)]);
  console.log(markdownTable([['pattern', 'count', 'limit'], ...rows], 'right'));
}

/** Returns a complaint for each pattern that occurs more often than its limit. */
export function excessWords(): string[] {
  return countWords()
    .filter(({ places, limit }) => places.length > limit)
    .map(({ name, places, limit }) => `"${name}": ${places.length} places, limit ${limit}. See words.ts --list.`);
}

/** Searches the tracked code and documents whose path begins with one of the folders. */
function countWords(folders: readonly string[] = []) {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  const files = tracked.split('\n').filter((file) => file !== '' && file !== 'scripts/documents/words.ts');
  const wanted = files.filter((file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)));
  const read = wanted.map((file) => ({ file, passages: readPassages(file) }));
  return PATTERNS.map(({ name, where, pattern, limit }) => {
    const places = read.flatMap(({ file, passages }) =>
      passages[where].flatMap(({ text, line }) =>
        Array.from(text.matchAll(pattern), ({ index }) => {
          const before = text.slice(0, index).split('\n').length - 1;
          return `${file}:${line + before}: ${name}: ${text.split('\n')[before]?.trim()}`;
        }),
      ),
    );
    return { name, places, limit };
  });
}

/** Returns the text of a file, its comments without their marks, and the names of the functions that it declares. */
function readPassages(file: string) {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const comments = new Map<number, { text: string; line: number }>();
  const functions: { text: string; line: number }[] = [];
  const source = ts.createSourceFile(file, file.endsWith('.md') ? '' : text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.pos) ?? []) {
      const isContinued = text.startsWith('//', pos) && /(^|\n) *\/\/.*\n *$/.test(text.slice(0, pos));
      if (!isContinued) comments.set(pos, { text: text.slice(pos, end).replace(/^[/*\s]+/, ''), line: lineOf(pos) });
    }
    const name = ts.isFunctionLike(node) && ts.getNameOfDeclaration(node);
    if (name) functions.push({ text: name.getText(), line: lineOf(name.getStart()) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { text: [{ text, line: 1 }], comments: [...comments.values()], functions };
}

/** A phrase may continue on the next line of a comment. */
function phrase(words: string): RegExp {
  return new RegExp(`\\b${words.replaceAll(' ', String.raw`[\s*/]+`)}\\b`, 'gi');
}
