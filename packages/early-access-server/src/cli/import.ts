import { createReadStream } from 'node:fs';
import { type FieldDeclarations, isStorageError } from 'early-access-kit/core';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { type ImportFile, type ImportReport, readImportFile, runImport, tryImport } from '../app/list/import/run-import.ts';
import { describeError } from '../app/ports/log.ts';
import type { Store } from '../app/ports/store.ts';
import type { CommandContext } from './command.ts';

export const IMPORT_USAGE = 'import <file> [--dry-run] [--welcome]';

export interface ImportOptions extends Pick<CommandContext, 'stdout' | 'stderr'> {
  readonly store: Store;
  readonly path: string;
  readonly isDryRun: boolean;
  readonly welcome: boolean;
  /** Columns with the names of these are imported, too. */
  readonly fields: FieldDeclarations;
}

/** Imports a file and prints what became of its lines. Returns 1 if some of them have problems. */
export async function importPeople({
  store,
  path,
  isDryRun,
  welcome,
  fields,
  stdout,
  stderr,
}: ImportOptions): Promise<number> {
  const file = await readFile(path, fields);
  const report = isDryRun
    ? await tryImport(file, store.people)
    : await run(file, { store: store.list, welcome, stderr });
  const { counts, problems } = report;
  stdout.write(`${isDryRun ? 'Would add' : 'Added'} ${counts.added}. On the list already: ${counts['on-list']}. `);
  stdout.write(`Repeated in the file: ${counts.repeated}. Lines with a problem: ${counts.problem}.\n`);
  for (const { line, problem } of problems) stdout.write(`line ${line}: ${problem}\n`);
  return counts.problem === 0 ? 0 : 1;
}

async function readFile(path: string, fields: FieldDeclarations): Promise<ImportFile> {
  try {
    return await readImportFile(createReadStream(path), Date.now(), fields);
  } catch (error) {
    // Its message names the line.
    const reason = isStorageError(error) ? error.message.replace(/^early-access-kit: /, '') : describeError(error);
    throw new ConfigError(`${path} cannot be imported: ${reason}`);
  }
}

async function run(
  file: ImportFile,
  { stderr, ...options }: Pick<ImportOptions, 'stderr' | 'welcome'> & { readonly store: Store['list'] },
): Promise<ImportReport> {
  for await (const event of runImport(file, options)) {
    if (event.type === 'done') return event.report;
    if (event.type === 'progress') stderr.write(`${event.done} of ${event.people}\n`);
  }
  throw new Error('the import did not reach its end');
}
