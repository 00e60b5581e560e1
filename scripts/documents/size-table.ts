import type { Size } from './sizes.ts';
import { markdownTable, withTable } from './table.ts';

/** Sizes differ slightly between machines. */
const TOLERANCE = 0.03;
const TABLE = /(?<=<!-- sizes: .*? -->\n)[\s\S]*?(?=<!-- end of sizes -->)/;
const ROW = /^\| (?<name>.+?) +\| +(?<kb>[\d.]+) kB \|/gm;

/** Returns the document with an updated size table. */
export function withSizes(document: string, sizes: readonly Size[]): string {
  const cells = [
    ['what', 'size', 'at most', 'largest in'],
    ...listed(sizes).map(({ name, size, limit, bundler = '' }) => [name, kilobytes(size), kilobytes(limit), bundler]),
  ];
  return withTable(document, markdownTable(cells, 'right'), 'sizes');
}

/** Returns the rows of the document's table that differ from the measured sizes. */
export function staleSizes(document: string, sizes: readonly Size[]): string[] {
  const table = TABLE.exec(document)?.[0] ?? '';
  const told = new Map([...table.matchAll(ROW)].map(({ groups = {} }) => [groups.name, Number(groups.kb) * 1_000]));
  const wrong = listed(sizes).flatMap(({ name, size }) => {
    const said = told.get(name);
    if (said !== undefined && Math.abs(said - size) <= Math.max(size * TOLERANCE, 10)) return [];
    return [`${name}: ${said === undefined ? 'not in the table' : `${said} bytes in the table`}, measured ${size}`];
  });
  const names = new Set(listed(sizes).map(({ name }) => name));
  const gone = [...told.keys()].filter((name) => name !== undefined && !names.has(name));
  return [...wrong, ...gone.map((name) => `${name}: in the table, and not measured`)];
}

function listed(sizes: readonly Size[]): Size[] {
  return sizes.filter(({ isListed }) => isListed);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(2)} kB`;
}

/** Returns a message for each exceeded limit. */
export function oversized(sizes: readonly Size[]): string[] {
  return sizes
    .filter(({ size, limit }) => size > limit)
    .map(
      ({ name, size, limit, bundler }) =>
        `${name}: ${size} bytes${bundler ? ` from ${bundler}` : ''}, at most ${limit}`,
    );
}
