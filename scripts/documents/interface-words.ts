import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../run.ts';

/** The interface's word for each thing, and the words that must not be used instead. */
const WORDS: readonly (readonly [word: string, instead: RegExp])[] = [
  ['session', /\bvisits\b|\b(?:an?|the|average|each|every|first|last|own|per) visit\b/i],
  ['bot sessions', /\bof robots\b/i],
  ['bounced sessions', /\bbounce rate\b/i],
  ['visitor', /\bguests?\b|\bnewcomers?\b/i],
  ['erase (a person), delete (a draft)', /\bforg[eo]t(?:s|ten)?\b(?! <)/i],
  ['campaign', /\blaunch emails?\b/i],
  ['referral, refer', /\bbrought (?:by|them|for|the|yet)\b|\b(?:has|have|they|been|who) brought\b/i],
  ['share link', /\bcircles?\b/i],
  [
    'create',
    /\b(?:key|link|draft|wave)s? (?:was|were) made\b|\bhave made\b|\bmak(?:es?|ing) an? (?:new )?(?:key|link|draft)\b/i,
  ],
  ['withdraw, undo', /\btak(?:e|es|ing) (?:\w+ )?back\b/i],
  ['since you opened it', /\bchanged meanwhile\b/i],
  ['dashboard', /\badmin console\b|\bdesk\b/i],
];

const SOURCES = 'packages/{early-access-kit,early-access-server,early-access-firebase,dashboard}/src/**/*.{ts,tsx}';
/** Not shown to anyone, in another language, or the overlay's labels, which are agreed word for word. */
const UNSEEN = [
  'packages/early-access-kit/src/admin/messages.ts',
  '**/*.{test,test-d,stories,spec,fixture}.{ts,tsx}',
  '**/{fixtures,testing,demo,stores,firestore}/**',
  '**/{texts,page-texts,messages}/!(en).ts',
];

/** Returns a complaint for each text of the interface, API or commands with a wrong word. */
export function wrongWords(): string[] {
  return globSync(SOURCES, { cwd: ROOT, exclude: UNSEEN }).flatMap((file) =>
    readTexts(file).flatMap(({ text, line }) =>
      WORDS.filter(([, instead]) => instead.test(text)).map(
        ([word]) => `${file}:${line} says “${text.trim()}”; the interface says: ${word}`,
      ),
    ),
  );
}

interface Text {
  readonly text: string;
  readonly line: number;
}

/** Returns string literals of several words, and JSX text. */
function readTexts(file: string): readonly Text[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isText && / /.test(node.text.trim())) {
      texts.push({ text: node.text, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}
