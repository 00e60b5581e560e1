/**
 * The parts of SQLite's file format (https://sqlite.org/fileformat.html) that determine which bytes of a database file
 * are unused.
 */

/** Reads a page by its number, which starts at 1. */
type ReadPage = (number: number) => Buffer;

export const FILE_HEADER_BYTES = 100;

export interface FileHeader {
  readonly pageSize: number;
  readonly firstTrunk: number;
}

export function readFileHeader(file: Buffer): FileHeader {
  const pageSize = file.readUInt16BE(16);
  return { pageSize: pageSize === 1 ? 65_536 : pageSize, firstTrunk: file.readUInt32BE(32) };
}

/** The free pages of the file, each with the number of bytes used by the freelist itself. */
export function readFreePages(readPage: ReadPage, { firstTrunk }: FileHeader): ReadonlyMap<number, number> {
  const free = new Map<number, number>();
  for (let trunk = firstTrunk; trunk !== 0 && !free.has(trunk); ) {
    const page = readPage(trunk);
    const leaves = page.readUInt32BE(4);
    free.set(trunk, 8 + 4 * leaves);
    for (let index = 0; index < leaves; index += 1) free.set(page.readUInt32BE(8 + 4 * index), 0);
    trunk = page.readUInt32BE(0);
  }
  return free;
}

const INTERIOR_PAGES: readonly number[] = [2, 5];
const LEAF_PAGES: readonly number[] = [10, 13];

/** Returns the bytes of a page that no row or index entry uses, as views of its buffer. */
export function listUnused(number: number, page: Buffer, free: ReadonlyMap<number, number>): readonly Buffer[] {
  const usedWhileFree = free.get(number);
  if (usedWhileFree !== undefined) return [page.subarray(usedWhileFree)];
  const header = number === 1 ? FILE_HEADER_BYTES : 0;
  const type = page.readUInt8(header);
  // All other pages contain the rest of a long value.
  if (!INTERIOR_PAGES.includes(type) && !LEAF_PAGES.includes(type)) return [];
  const cellPointers = header + (INTERIOR_PAGES.includes(type) ? 12 : 8);
  const gapStart = cellPointers + 2 * page.readUInt16BE(header + 3);
  const gapEnd = page.readUInt16BE(header + 5) || 65_536;
  const unused = [page.subarray(gapStart, gapEnd)];
  // Free blocks between cells, in ascending order. Each starts with the offset of the next one and its own size.
  for (let block = page.readUInt16BE(header + 1); block !== 0; ) {
    const next = page.readUInt16BE(block);
    unused.push(page.subarray(block + 4, block + page.readUInt16BE(block + 2)));
    block = next > block ? next : 0;
  }
  return unused;
}
