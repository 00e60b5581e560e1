import { changedLines, type TestedMutant } from './mutant.ts';

/** A change to one condition of Firestore rules. */
export interface RulesMutant extends Pick<TestedMutant, 'before' | 'after' | 'line'> {
  /** The rules with this change. */
  readonly rules: string;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /\/\/[^\n]*|\s+|(?<token>'(?:[^'\\]|\\.)*'|\w+|&&|\|\||==|!=|<=|>=|[^\s\w])/g;
/** Tokens that separate conditions at the same depth of parentheses. */
const SEPARATORS = ['&&', '||', ',', ';'];
const OPPOSITES: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '==': '!=',
  '!=': '==',
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '!': '',
};

/**
 * Changes one condition at a time: removes each part of a conjunction or alternative, fixes each `allow` and function
 * to a result, replaces operators, changes each number by one in both directions, and replaces each text and pattern.
 */
export function rulesMutants(rules: string): RulesMutant[] {
  const tokens = [...rules.matchAll(TOKEN)].flatMap(({ index, groups }): Token[] =>
    groups?.token === undefined ? [] : [{ text: groups.token, start: index, end: index + groups.token.length }],
  );
  const from = tokens.findIndex(({ text }) => text === 'service');
  const changes = tokens
    .slice(from)
    .flatMap((token, place, used) => [
      ...listReplacements(token, used[place - 2]?.text).map((replacement) => ({ ...token, replacement })),
      ...findConditions(used, place),
    ]);
  const mutants = changes.map(({ start, end, replacement }) => ({
    ...changedLines(rules, { start: findPosition(rules, start), end: findPosition(rules, end) }, replacement),
    rules: rules.slice(0, start) + replacement + rules.slice(end),
  }));
  // Two changes to a condition with a single part can be identical, or change nothing.
  return [...new Map(mutants.map((mutant) => [mutant.rules, mutant])).values()].filter(
    (mutant) => mutant.rules !== rules,
  );
}

function listReplacements({ text }: Token, callee: string | undefined): readonly string[] {
  if (/^\d+$/.test(text)) return [String(Number(text) - 1), String(Number(text) + 1)];
  if (text.startsWith("'")) return callee === 'matches' ? ["'.*'", "'never'"] : ["'another'"];
  const opposite = OPPOSITES[text];
  return opposite === undefined ? [] : [opposite];
}

/**
 * Finds the condition after this token. A part of a condition is replaced by its neutral value, a whole condition by
 * both values.
 */
function findConditions(
  tokens: readonly Token[],
  place: number,
): readonly (Token & { readonly replacement: string })[] {
  const opener = tokens[place]?.text ?? '';
  const isWhole = opener === 'return' || opener === 'if';
  if (!isWhole && !['(', ',', '&&', '||'].includes(opener)) return [];
  const last = endOfCondition(tokens, place + 1);
  const first = tokens[place + 1];
  const end = tokens[last];
  if (first === undefined || end === undefined || last <= place) return [];
  const condition = { text: '', start: first.start, end: end.end };
  const joint = ['&&', '||'].includes(opener) ? opener : (tokens[last + 1]?.text ?? '');
  const parts = ['&&', '||'].includes(joint) ? [{ ...condition, replacement: String(joint === '&&') }] : [];
  if (!isWhole) return parts;
  const close = wholeCondition(tokens, place + 1);
  const whole = { ...condition, end: tokens[close]?.end ?? condition.end };
  return [...parts, { ...whole, replacement: 'true' }, { ...whole, replacement: 'false' }];
}

/** Returns the last token of the condition that starts at this position. */
function endOfCondition(tokens: readonly Token[], from: number, separators: readonly string[] = SEPARATORS): number {
  let depth = 0;
  for (let place = from; place < tokens.length; place += 1) {
    const { text } = tokens[place] ?? { text: ';' };
    if (depth === 0 && (separators.includes(text) || text === ')' || text === ']')) return place - 1;
    if (['(', '[', '{'].includes(text)) depth += 1;
    if ([')', ']', '}'].includes(text)) depth -= 1;
  }
  return tokens.length - 1;
}

function wholeCondition(tokens: readonly Token[], from: number): number {
  return endOfCondition(tokens, from, [';']);
}

function findPosition(text: string, offset: number) {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length - 1, column: offset - before.lastIndexOf('\n') - 1 };
}
