import path from 'node:path';
import ts from 'typescript';
import type { ExportTarget } from '../package-exports.ts';

/** One thing that a declaration file exports, and the types that only its own declaration names. */
interface Item {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

/**
 * The reference in Markdown: for each entry its names, with their doc comments and declarations as they are published.
 * `folder` is the built package's.
 */
export function apiReference(folder: string, name: string, exports: Readonly<Record<string, ExportTarget>>): string {
  const entries = Object.entries(exports).flatMap(([entry, target]) => {
    const file = declarationOf(target);
    return file === undefined ? [] : [{ module: name + entry.slice(1), file: path.join(folder, file) }];
  });
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.ReactJSX },
  );
  const checker = program.getTypeChecker();
  const sections = entries.map(({ module, file }) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    return { module, items: symbol ? itemsOf(symbol, checker) : [] };
  });
  const homes = homesOf(sections);
  const isOurs = (node: ts.Node) => node.getSourceFile().fileName.startsWith(path.join(folder, 'dist'));
  const texts = sections.map(({ module, items }) => {
    const home = items.filter(({ symbol }) => homes.get(symbol) === module);
    const guests = items.filter(({ symbol }) => homes.get(symbol) !== module);
    const unnamed = unnamedTypes(home, homes, { checker, isOurs });
    return [
      `## ${module}`,
      ...home.map((item) => textOf(item, '###', checker)),
      ...(guests.length > 0 ? [guestsText(guests, homes)] : []),
      ...(unnamed.length > 0
        ? ['### Types that the above are made of', ...unnamed.map((item) => textOf(item, '####', checker))]
        : []),
    ].join('\n\n');
  });
  const note = '<!-- Written by `npm run docs` from the doc comments. -->';
  return [`# API of ${name}`, note, ...texts].join('\n\n').concat('\n');
}

function declarationOf(target: ExportTarget): string | undefined {
  if (typeof target === 'string') return undefined;
  const { import: module, types } = target;
  if (typeof types === 'string') return types;
  return module === undefined ? undefined : declarationOf(module);
}

function itemsOf(module: ts.Symbol, checker: ts.TypeChecker): Item[] {
  return checker
    .getExportsOfModule(module)
    .map((exported) => ({
      name: exported.name,
      symbol: exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    }))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** What is called or rendered comes first, then values, then types. */
function rank({ symbol }: Item): number {
  if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) return 0;
  return symbol.flags & ts.SymbolFlags.Value ? 1 : 2;
}

/** Where each thing is described: in `core` if it is exported there, else in the first entry that exports it. */
function homesOf(sections: readonly { module: string; items: readonly Item[] }[]): Map<ts.Symbol, string> {
  const homes = new Map<ts.Symbol, string>();
  for (const { module, items } of sections) {
    for (const { symbol } of items) {
      if (!homes.has(symbol) || module.endsWith('/core')) homes.set(symbol, module);
    }
  }
  return homes;
}

/** Types of the package that the declarations name and no entry exports, those included that these name in turn. */
function unnamedTypes(
  items: readonly Item[],
  homes: ReadonlyMap<ts.Symbol, string>,
  { checker, isOurs }: { checker: ts.TypeChecker; isOurs: (node: ts.Node) => boolean },
): Item[] {
  const found = new Map<ts.Symbol, Item>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const named = checker.getSymbolAtLocation(node);
      const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
      const declaration = symbol?.declarations?.[0];
      const isType = declaration && (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration));
      if (symbol && isType && isOurs(declaration) && !homes.has(symbol) && !found.has(symbol)) {
        found.set(symbol, { name: symbol.name, symbol });
        visit(declaration);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const { symbol } of items) symbol.declarations?.forEach(visit);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function guestsText(guests: readonly Item[], homes: ReadonlyMap<ts.Symbol, string>): string {
  const lines = guests.map(({ name, symbol }) => `- \`${name}\`, described under \`${homes.get(symbol)}\``);
  return ['Also from here:', '', ...lines].join('\n');
}

function textOf({ name, symbol }: Item, heading: string, checker: ts.TypeChecker): string {
  const declarations = (symbol.declarations ?? []).map(declarationText);
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  return [`${heading} ${name}`, comment, ['```ts', ...declarations, '```'].join('\n')].filter(Boolean).join('\n\n');
}

/** The declaration as it stands in the file, without its own comment, which is told in prose; those of its members stay. */
function declarationText(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return node
    .getText()
    .replace(/^(?:export |default |declare )+/, '')
    .replace(/^ {4,}/gm, (spaces) => ' '.repeat(Math.ceil(spaces.length / 2)));
}
