import { type Position, UnknownConstruct } from './errors.ts';
import type { Token } from './lexer.ts';

/** Reads tokens one after another. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #place = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#end = tokens.at(-1) ?? { kind: 'end', text: 'the end of the file', at: { line: 1, column: 1 } };
  }

  get current(): Token {
    return this.#tokens[this.#place] ?? this.#end;
  }

  get at(): Position {
    return this.current.at;
  }

  /** Whether the current token is this symbol or word. */
  sees(text: string): boolean {
    return (this.current.kind === 'symbol' || this.current.kind === 'name') && this.current.text === text;
  }

  next(): Token {
    const token = this.current;
    this.#place += 1;
    return token;
  }

  /** Consumes the symbol or word if it is next. */
  takes(text: string): boolean {
    const found = this.sees(text);
    if (found) this.#place += 1;
    return found;
  }

  expect(text: string): Token {
    if (!this.sees(text)) throw this.unexpected(`"${text}"`);
    return this.next();
  }

  name(what: string): string {
    if (this.current.kind !== 'name') throw this.unexpected(what);
    return this.next().text;
  }

  /** Comma-separated items up to the closing symbol, which is consumed. A trailing comma is allowed. */
  list<T>(close: string, read: () => T): readonly T[] {
    const items: T[] = [];
    while (!this.takes(close)) {
      items.push(read());
      if (!this.sees(close)) this.expect(',');
    }
    return items;
  }

  unexpected(wanted: string): UnknownConstruct {
    return new UnknownConstruct(`expected ${wanted}, found ${this.current.text}`, this.at);
  }
}
