import type { Position } from './errors.ts';

export type Expression = { readonly at: Position } & (
  | { readonly kind: 'literal'; readonly value: null | boolean | bigint | number | string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'path'; readonly segments: readonly (string | Expression)[] }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'is'; readonly operand: Expression; readonly type: string }
  | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly key: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly kind: 'method';
      readonly object: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
    }
);

export const BINARY_OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%'] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly result: Expression;
  readonly at: Position;
}

export const METHODS = ['get', 'list', 'create', 'update', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export interface Allow {
  readonly methods: readonly Method[];
  /** Undefined: always allowed. */
  readonly condition: Expression | undefined;
  readonly at: Position;
}

/** `name` matches itself, `{name}` one segment, `{name=**}` any number of segments. */
export type PatternSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'one' | 'many'; readonly name: string };

export interface MatchBlock {
  readonly pattern: readonly PatternSegment[];
  readonly functions: readonly FunctionDefinition[];
  readonly allows: readonly Allow[];
  readonly matches: readonly MatchBlock[];
  readonly at: Position;
}
