import { type Position, UnknownConstruct } from './errors.ts';

export interface Token {
  readonly kind: 'name' | 'int' | 'float' | 'string' | 'symbol' | 'end';
  /** The source text; for a string, its content. */
  readonly text: string;
  readonly at: Position;
}

const SKIPPED = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\d+(\.\d+)?/y;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
const SYMBOL = /&&|\|\||==|!=|<=|>=|\*\*|[<>+\-*/%!:()[\]{},;.$=]/y;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' };

/** The tokens of a rules file; the last one is of kind `end`. Throws for an unknown character. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = offset;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) offset += text.length;
    return text;
  };
  while (true) {
    // Only what is skipped has line breaks.
    const skipped = take(SKIPPED)?.split('\n') ?? [''];
    line += skipped.length - 1;
    if (skipped.length > 1) lineStart = offset - (skipped.at(-1) ?? '').length;
    const at = { line, column: offset - lineStart + 1 };
    if (offset >= source.length) return [...tokens, { kind: 'end', text: 'the end of the file', at }];
    const name = take(NAME);
    const number = name === undefined ? take(NUMBER) : undefined;
    const text = name ?? number ?? take(STRING) ?? take(SYMBOL);
    if (text === undefined) throw new UnknownConstruct(`unknown character ${source.charAt(offset)}`, at);
    if (name !== undefined) tokens.push({ kind: 'name', text, at });
    else if (number !== undefined) tokens.push({ kind: /^\d+$/.test(text) ? 'int' : 'float', text, at });
    else if (/^['"]/.test(text)) tokens.push({ kind: 'string', text: unescaped(text.slice(1, -1), at), at });
    else tokens.push({ kind: 'symbol', text, at });
  }
}

function unescaped(text: string, at: Position): string {
  return text.replaceAll(/\\(.)/gs, (_, character: string) => {
    const replacement = Object.hasOwn(ESCAPES, character) ? ESCAPES[character] : undefined;
    if (replacement === undefined) throw new UnknownConstruct(`unknown escape \\${character} in a string`, at);
    return replacement;
  });
}
