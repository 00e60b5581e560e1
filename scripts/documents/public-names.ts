import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expandEntries } from '@early-access-kit/testkit/entries';
import ts from 'typescript';
import { ROOT } from '../run.ts';

/** The packages with public entries. */
const PACKAGES = ['early-access-kit', 'early-access-server', 'early-access-firebase'];
/** Type tests with a wrong use of each function and component. */
const WRONG_USES = [
  'early-access-kit/test/wrong-use.test-d.tsx',
  'early-access-server/src/fixtures/wrong-use.test-d.ts',
];
/** Its name says that it may change at any time, so its names are not listed. */
const UNLISTED = './internal';

interface PublicName {
  readonly name: string;
  readonly isType: boolean;
  /** A function or component, which needs an example in its doc comment. */
  readonly isFunction: boolean;
  readonly hasExample: boolean;
  /** The first sentence of its doc comment; empty without one. */
  readonly summary: string;
}

interface Entry {
  /** The import specifier: `early-access-kit/tracker`. */
  readonly module: string;
  readonly names: readonly PublicName[];
}

/** Returns all entries with types, with the names that each exports. */
export function listEntries(): readonly Entry[] {
  return PACKAGES.flatMap((name) => {
    const folder = path.join(ROOT, 'packages', name);
    const { exports, publishConfig } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return Object.keys(expandEntries(publishConfig?.exports ?? exports, path.join(folder, 'src')))
      .map((entry) => [entry, findSource(folder, entry, exports[entry])] as const)
      .filter((found): found is [string, string] => found[0] !== UNLISTED && found[1] !== undefined)
      .map(([entry, source]) => ({ module: name + entry.slice(1), names: readNames(source) }))
      .filter(({ names }) => names.length > 0);
  });
}

/** Returns `docs/public-names.md`: names only, because editors and the reference show the doc comments. */
export function describeNames(entries: readonly Entry[]): string {
  const sections = entries.map(({ module, names }) => {
    const lists = [false, true]
      .map((isType) => names.filter((name) => name.isType === isType).map(({ name }) => `\`${name}\``))
      .map((list, index) => (list.length === 0 ? '' : `${index === 0 ? '' : 'Types: '}${list.join(', ')}\n`));
    return `## \`${module}\` (${names.length})\n\n${lists.filter((list) => list !== '').join('\n')}`;
  });
  const total = entries.reduce((sum, { names }) => sum + names.length, 0);
  return `# Public names

All ${total} exported names. Everything else is internal and may change in any version. Your editor shows each doc comment. \`npm run docs\` writes this page.

${sections.join('\n')}`;
}

/**
 * Returns a complaint for each name without a doc comment, and for each function or component without an example or a
 * type test of a wrong use.
 */
export function undocumentedNames(entries: readonly Entry[]): readonly string[] {
  const wrongUses = WRONG_USES.map((file) => readFileSync(path.join(ROOT, 'packages', file), 'utf8')).join('\n');
  return entries.flatMap(({ module, names }) =>
    names.flatMap(({ name, summary, isFunction, hasExample }) => [
      ...(summary === '' ? [`${name} of ${module} has no doc comment`] : []),
      ...(isFunction && hasWrongUses(module) && !hasExample ? [`${name} of ${module} has no @example`] : []),
      ...(isFunction && hasWrongUses(module) && !new RegExp(`@ts-expect-error.*\\n.*\\b${name}\\b`).test(wrongUses)
        ? [`no wrong use of ${name} of ${module} is in ${WRONG_USES.join(' or ')}`]
        : []),
    ]),
  );
}

function hasWrongUses(module: string): boolean {
  return WRONG_USES.some((file) => file.startsWith(`${module.split('/')[0]}/`));
}

function findSource(folder: string, entry: string, target: unknown): string | undefined {
  const types = typeof target === 'object' && target !== null && 'types' in target ? String(target.types) : '';
  const module = entry === '.' ? 'index' : entry.slice('./'.length);
  return [types, `src/${module}.ts`]
    .map((file) => path.join(folder, file))
    .find((file) => /(?<!\.d)\.ts$/.test(file) && existsSync(file));
}

function readNames(file: string): PublicName[] {
  const source = parse(file);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return readExports(statement, file);
    return declaredNames(statement)
      .filter(() => isExported(statement))
      .map((name) => describe(name, statement));
  });
}

function readExports({ exportClause, isTypeOnly, moduleSpecifier }: ts.ExportDeclaration, file: string): PublicName[] {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) throw new Error(`${file} exports a whole module`);
  return exportClause.elements.map((element) => {
    const name = element.name.text;
    const declared = (element.propertyName ?? element.name).text;
    const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
    const module = from === undefined ? file : path.join(path.dirname(file), from);
    const found = from === undefined || from.startsWith('.') ? findDeclared(module, declared) : undefined;
    const summary = found?.summary ?? `of \`${from}\``;
    return {
      name,
      isType: isTypeOnly || element.isTypeOnly || found?.isType === true,
      isFunction: found?.isFunction === true,
      hasExample: found?.hasExample === true,
      summary,
    };
  });
}

/** Follows a name through re-exports. */
function findDeclared(file: string, name: string): PublicName | undefined {
  const source = parse(file);
  const own = source.statements.find((statement) => declaredNames(statement).includes(name));
  if (own) return describe(name, own);
  return readNames(file).find((passed) => passed.name === name);
}

const parsed = new Map<string, ts.SourceFile>();
function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const isNamed =
    ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || isTypeDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function describe(name: string, statement: ts.Statement): PublicName {
  const tags = ts.getJSDocTags(statement);
  return {
    name,
    isType: isTypeDeclaration(statement),
    isFunction: ts.isFunctionDeclaration(statement) || isFunctionConstant(statement),
    hasExample: tags.some(({ tagName }) => tagName.text === 'example'),
    summary: readSummary(statement),
  };
}

function isFunctionConstant(statement: ts.Statement): boolean {
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) => initializer && ts.isFunctionLike(initializer))
  );
}

function isTypeDeclaration(statement: ts.Statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(isExportKeyword);
}

function isExportKeyword({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.ExportKeyword;
}

function readSummary(statement: ts.Statement): string {
  const [comment] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const text = (ts.getTextOfJSDocComment(comment?.comment) ?? '').replace(/\s+/g, ' ').trim();
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
