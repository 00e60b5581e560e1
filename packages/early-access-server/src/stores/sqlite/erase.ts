import { closeSync, fsyncSync, openSync, read, readSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { emptyWal, isBusy } from './database.ts';
import { FILE_HEADER_BYTES, type FileHeader, listUnused, readFileHeader, readFreePages } from './unused-bytes.ts';

/** How long to wait for readers that prevent the WAL from being emptied, and how long one attempt may block writers. */
const REMOVE_WITHIN_MS = 5_000;
const ATTEMPT_MS = 50;
const PAUSE_MS = 100;

/** Requests are handled between two chunks of the file. */
const CHUNK_BYTES = 1 << 18;

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Removes bytes that deleted rows have left in the WAL and in the database file. */
export interface TraceRemoval {
  /**
   * Removes every trace of the texts. Returns false if other processes, such as readers, prevented it for five seconds.
   * Calls made during a removal share the next one.
   */
  remove(texts: readonly string[]): Promise<boolean>;
  /** Call it after the database was closed. */
  close(): void;
}

/**
 * Even with secure_delete, SQLite occasionally leaves a copy behind when it moves rows between pages. So the file is
 * searched, and on pages with a trace the unused bytes are overwritten. VACUUM would block all writes for seconds.
 */
export function traceRemoval(file: string): TraceRemoval {
  let opened: number | null = null;
  let next: { readonly texts: string[]; readonly done: Promise<boolean> } | null = null;
  let current: Promise<unknown> = Promise.resolve();

  /**
   * The file is never closed, because closing any descriptor of it releases all POSIX locks of the process on the file,
   * including SQLite's. Another program that closes the database would then delete the WAL, with everything written to
   * it afterwards.
   */
  function open(): number {
    opened ??= openSync(file, 'r+');
    return opened;
  }

  function start() {
    const texts: string[] = [];
    const done = current.then(() => {
      next = null;
      return removeTraces(file, open(), texts);
    });
    current = done.catch(() => {});
    return { texts, done };
  }

  return {
    remove(texts) {
      next ??= start();
      next.texts.push(...texts);
      return next.done;
    },
    close() {
      if (opened !== null) closeSync(opened);
    },
  };
}

/** Tries for five seconds. Returns false if it did not succeed. */
async function removeTraces(file: string, fd: number, texts: readonly string[]): Promise<boolean> {
  const giveUpAt = performance.now() + REMOVE_WITHIN_MS;
  while (!(await tryToRemove(file, fd, texts))) {
    if (performance.now() > giveUpAt) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

async function tryToRemove(file: string, fd: number, texts: readonly string[]): Promise<boolean> {
  const wal = `${file}-wal`;
  // A new connection, which has no cached pages.
  const db = new DatabaseSync(file, { timeout: ATTEMPT_MS });
  try {
    // While a reader sees the state with an empty WAL, no checkpoint changes the file.
    if (!emptyWal(db)) return false;
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    if (readSize(wal) > 0) return false;
    const sought = texts.map((text) => Buffer.from(text));
    const pages = await findPages(fd, sought);
    db.exec('COMMIT');
    // During the search SQLite may have moved a page with a trace to another number, so changed pages are checked as
    // well.
    for (const number of listPagesOfWal(wal, readHeader(fd))) pages.add(number);
    if (!emptyWal(db)) return false;
    db.exec('BEGIN IMMEDIATE');
    if (readSize(wal) > 0) return false;
    // Committing `user_version`, even unchanged, makes all connections drop their cached pages.
    if (clearPages(fd, pages, sought)) {
      db.exec(`PRAGMA user_version = ${db.prepare('PRAGMA user_version').get()?.user_version}`);
    }
    db.exec('COMMIT');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}

/**
 * The numbers of pages that contain one of the texts in their unused bytes, or a part of one that extends across two
 * pages.
 */
async function findPages(fd: number, texts: readonly Buffer[]): Promise<Set<number>> {
  const header = readHeader(fd);
  const readPage = pageReader(fd, header);
  const free = readFreePages(readPage, header);
  const overlap = Math.max(...texts.map(({ length }) => length)) - 1;
  const buffer = Buffer.alloc(overlap + CHUNK_BYTES);
  const [pages, checked] = [new Set<number>(), new Set<number>()];
  // Chunks are read one after the other.
  for (let position = 0; ; ) {
    const { bytesRead } = await promisify(read)(fd, buffer, overlap, CHUNK_BYTES, position);
    if (bytesRead === 0) return pages;
    const bytes = buffer.subarray(0, overlap + bytesRead);
    for (const text of texts) {
      for (let found = bytes.indexOf(text); found !== -1; found = bytes.indexOf(text, found + 1)) {
        for (const place of [found, found + text.length - 1]) {
          const number = Math.floor((position - overlap + place) / header.pageSize) + 1;
          if (checked.has(number)) continue;
          checked.add(number);
          if (free.has(number) || hasTrace(listUnused(number, readPage(number), free), texts)) pages.add(number);
        }
      }
    }
    position += bytesRead;
    buffer.copyWithin(0, bytesRead, bytesRead + overlap);
  }
}

/** Overwrites the unused bytes of the pages that contain a trace. Returns whether there were any. */
function clearPages(fd: number, numbers: ReadonlySet<number>, texts: readonly Buffer[]): boolean {
  const header = readHeader(fd);
  const readPage = pageReader(fd, header);
  const free = readFreePages(readPage, header);
  let isChanged = false;
  for (const number of numbers) {
    const page = readPage(number);
    const unused = listUnused(number, page, free);
    if (!free.has(number) && !hasTrace(unused, texts)) continue;
    for (const bytes of unused) bytes.fill(0);
    writeSync(fd, page, 0, page.length, (number - 1) * page.length);
    isChanged = true;
  }
  if (isChanged) fsyncSync(fd);
  return isChanged;
}

function hasTrace(unused: readonly Buffer[], texts: readonly Buffer[]): boolean {
  return unused.some((bytes) => texts.some((text) => bytes.includes(text)));
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readHeader(fd: number): FileHeader {
  const bytes = Buffer.alloc(FILE_HEADER_BYTES);
  readSync(fd, bytes, 0, bytes.length, 0);
  return readFileHeader(bytes);
}

function pageReader(fd: number, { pageSize }: FileHeader): (number: number) => Buffer {
  return (number) => {
    const page = Buffer.alloc(pageSize);
    readSync(fd, page, 0, pageSize, (number - 1) * pageSize);
    return page;
  };
}

function listPagesOfWal(file: string, { pageSize }: FileHeader): ReadonlySet<number> {
  const size = readSize(file);
  const numbers = new Set<number>();
  if (size === 0) return numbers;
  // This file has no locks, so closing it releases none.
  const fd = openSync(file, 'r');
  try {
    const number = Buffer.alloc(4);
    for (let frame = WAL_HEADER_BYTES; frame < size; frame += FRAME_HEADER_BYTES + pageSize) {
      readSync(fd, number, 0, 4, frame);
      numbers.add(number.readUInt32BE());
    }
    return numbers;
  } finally {
    closeSync(fd);
  }
}
