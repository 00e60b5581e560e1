import { isValidEmail } from 'early-access-kit/core';
import type { CsvLine } from './csv-file.ts';
import { countOtherWords, isKnownName } from './import-fields.ts';

/** The header is searched for in this many lines. */
export const HEAD_LINES = 50;
const MAX_SKIPPED_LENGTH = 200;

export interface Header {
  /** Null if there is no header: the file starts with a person. */
  readonly names: readonly string[] | null;
  /** The lines before the header, shortened. */
  readonly skipped: readonly string[];
  /** Line number of the header, or 0 if there is none. */
  readonly lastLine: number;
}

/** Returns whether a cell in a header is a known name. Cells with a delimiter would be several names. */
export function isUnderstood(cell: string): boolean {
  return isValidEmail(cell) || (!/[,;\t]/.test(cell) && isKnownName(cell));
}

/**
 * Finds the header: of the lines before the first address, the one with the most known names, or else the longest. A
 * line with the name of an address column is also a candidate if it directly precedes one with an address, because a
 * note above the header may contain an address.
 */
export function findHeader(head: readonly CsvLine[]): Header {
  const hasAddress = ({ cells }: CsvLine) => cells.some(isValidEmail);
  const first = head.findIndex(hasAddress);
  const candidates = head.filter((line, index) => {
    const next = head[index + 1]?.cells ?? [];
    const namesAddress = line.cells.some((cell, at) => countOtherWords(cell) !== null && isValidEmail(next[at] ?? ''));
    return !hasAddress(line) && (index < first || first === -1 || namesAddress);
  });
  const [best] = candidates
    .map((line) => ({
      line,
      known: line.cells.filter(isUnderstood).length,
      filled: line.cells.filter((cell) => cell.trim() !== '').length,
    }))
    .sort((a, b) => b.known - a.known || b.filled - a.filled);
  if (best === undefined) return { names: null, skipped: [], lastLine: 0 };
  const { line, cells } = best.line;
  const skipped = head.slice(0, head.indexOf(best.line)).map((before) => shorten(before.cells));
  return { names: cells, skipped, lastLine: line };
}

function shorten(cells: readonly string[]): string {
  return cells
    .filter((cell) => cell.trim() !== '')
    .join(', ')
    .slice(0, MAX_SKIPPED_LENGTH);
}
