/**
 * `npm run texts [-- folder…]` prints every text that a visitor, an admin or a developer reads on a page, in an email, in a
 * terminal or in a message of the code, with its place, so that someone can read them all from top to bottom.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../run.ts';

const FOLDERS = ['packages/*/src', 'site/src'];
const NOT_SHIPPED = ['**/*.{test,stories,fixture}.{ts,tsx}', '**/{testing,fixtures,simulation,stories}/**'];
/** Two words: other strings are names of routes, events, classes or columns. */
const TEXT = /\p{L}[\p{L}’',.:;]* [\p{L}(“"{<$]/u;
const NOT_TEXT =
  /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|PRAGMA|BEGIN)\b|^[\w-]+: [^ ]+;|^[a-z-]+(:?[a-z-]+)?( [a-z-]*[-:][a-z-]*)+$/;

for (const folder of process.argv.length > 2 ? process.argv.slice(2) : FOLDERS) {
  for (const file of globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: NOT_SHIPPED }).sort()) {
    const source = ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
    for (const [line, text] of readTexts(source)) console.log(`${file}:${line}: ${text}`);
  }
}

function readTexts(source: ts.SourceFile): [line: number, text: string][] {
  const found: [number, string][] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateExpression(node)) {
      const text = node.getText(source).replace(/\s+/g, ' ').trim();
      if (TEXT.test(text) && !NOT_TEXT.test(text)) found.push([countLines(node), text]);
    }
    if (!ts.isTaggedTemplateExpression(node)) ts.forEachChild(node, visit);
  };
  const countLines = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  visit(source);
  return found;
}
