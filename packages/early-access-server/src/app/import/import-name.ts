import { randomUUID } from 'node:crypto';
import { type ImportName, MAX_IMPORT_NAME } from '../ports/list-store.ts';

/** Creates an import with the file's name, without characters that a database may not store. */
export function newImport(name: string): ImportName {
  const characters = [
    ...name
      .slice(0, 2 * MAX_IMPORT_NAME)
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  ];
  return { id: randomUUID(), name: characters.slice(0, MAX_IMPORT_NAME).join('') };
}
