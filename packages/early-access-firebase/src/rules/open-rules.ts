import { COLLECTIONS } from '../firestore/documents.ts';

/** An `allow` with its path, or a function, both without spaces. */
interface Statement {
  readonly line: number;
  /** The full pattern of an `allow` without the first slash; empty for a function. */
  readonly path: string;
  readonly text: string;
  readonly name: string | undefined;
}

/**
 * Describes statements that may give others access to the documents of `COLLECTIONS`: each `allow` that is not in
 * `ours`, unless it is never true or its path matches none of them, and each function that has a name of `ours` but a
 * different body. Conditions are not evaluated, so any unknown one counts as open.
 */
export function findOpenRules(theirs: string, ours: string): readonly string[] {
  const own = readStatements(ours) ?? [];
  const statements = readStatements(theirs);
  if (statements === null) return ['it cannot be read'];
  const isOurs = ({ path, text }: Statement) => own.some((one) => one.path === path && one.text === text);
  const isOpen = ({ path, text, name }: Statement) =>
    name === undefined
      ? !/^allow[a-z,]+:iffalse$/.test(text) && mayMatchOurs(path)
      : own.some((one) => one.name === name);
  return statements
    .filter((statement) => isOpen(statement) && !isOurs(statement))
    .map(({ line, path, name }) => `line ${line}: ${name === undefined ? `allow at /${path}` : `function ${name}`}`);
}

const STATEMENT =
  /\bmatch\s*(?<path>(?:\/(?:\{[^}]*\}|[^\s/{}();]+))+)\s*\{|\bfunction\s+(?<name>\w+)|\b(?<allow>allow\b[^;]*);|(?<brace>[{}])|\b(?<unknown>match|allow|function)\b/g;

/** Returns null if the rules cannot be parsed, so that nothing is overlooked. */
function readStatements(rules: string): readonly Statement[] | null {
  const source = rules.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/.*|\/\*[\s\S]*?\*\//g, hideText);
  const statements: Statement[] = [];
  const open: { readonly path: string; readonly start?: number | undefined; readonly name?: string | undefined }[] = [];
  let started: { readonly start: number; readonly name: string } | undefined;
  for (const { groups = {}, index, 0: found } of source.matchAll(STATEMENT)) {
    const { path, name, allow, brace, unknown } = groups;
    const line = source.slice(0, index).split('\n').length;
    if (unknown !== undefined || /\b(match|allow|function)\b/.test(allow?.slice('allow'.length) ?? '')) return null;
    if (allow !== undefined) {
      const full = open.map((block) => block.path).join('');
      statements.push({ line, path: full.slice(1), text: withoutSpaces(allow), name });
    } else if (name !== undefined) started = { start: index, name };
    else if (brace === '}') {
      const block = open.pop();
      if (block === undefined) return null;
      if (block.start === undefined) continue;
      const text = withoutSpaces(source.slice(block.start, index + found.length));
      statements.push({ line: source.slice(0, block.start).split('\n').length, path: '', text, name: block.name });
    } else {
      open.push({ path: withoutSpaces(path ?? ''), ...started });
      started = undefined;
    }
  }
  return open.length === 0 ? statements : null;
}

/** Hides comments and strings, which may look like statements. Line breaks are preserved. */
function hideText(found: string): string {
  const isComment = found.startsWith('/');
  return isComment ? found.replaceAll(/[^\n]+/g, ' ') : `'${Buffer.from(found).toString('hex')}'`;
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

const ANY = '*';

function mayMatchOurs(pattern: string): boolean {
  return Object.values(COLLECTIONS).some((collection) =>
    mayMatch(pattern.split('/'), ['databases', ANY, 'documents', collection, ANY]),
  );
}

/** Returns whether a `match` pattern may match a path. `ANY` stands for unknown parts. */
function mayMatch([segment, ...rest]: readonly string[], path: readonly string[]): boolean {
  if (segment === undefined) return path.length === 0;
  if (segment.endsWith('=**}')) return [...path, ANY].some((_, index) => mayMatch(rest, path.slice(index)));
  const [first, ...others] = path;
  return first !== undefined && (segment.startsWith('{') || [segment, ANY].includes(first)) && mayMatch(rest, others);
}
