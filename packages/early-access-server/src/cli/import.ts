import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FieldDeclarations, isStorageError } from 'early-access-kit/core';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { parseColumnChoices } from '../app/list/import/columns.ts';
import { DATE_ORDERS } from '../app/list/import/parse-time.ts';
import {
  type ImportFile,
  type ImportReport,
  readImportFile,
  runImport,
  tryImport,
} from '../app/list/import/run-import.ts';
import { PERSON_STATES } from '../app/list/states.ts';
import { describeError } from '../app/ports/log.ts';
import type { Store } from '../app/ports/store.ts';
import { type CommandContext, UsageError } from './command.ts';

const USAGE = `usage: import <file> [--dry-run] [--welcome] [--column email=Name]… [--dates ${DATE_ORDERS.join('|')}]`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  welcome: { type: 'boolean', default: false },
  column: { type: 'string', multiple: true },
  dates: { type: 'string' },
} as const;

/** Parses the arguments. Throws a `UsageError`. */
export function parseImportArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [path, ...rest] = positionals;
    const dateOrder = DATE_ORDERS.find((order) => order === values.dates) ?? null;
    if (path === undefined || rest.length > 0 || (dateOrder === null && values.dates !== undefined)) {
      throw new UsageError(USAGE);
    }
    return { path, isDryRun: values['dry-run'], welcome: values.welcome, columns: values.column ?? [], dateOrder };
  } catch (error) {
    // `parseArgs` throws one if there is no such option.
    throw error instanceof TypeError ? new UsageError(USAGE) : error;
  }
}

export interface ImportOptions
  extends Pick<CommandContext, 'stdout' | 'stderr'>,
    ReturnType<typeof parseImportArguments> {
  readonly store: Store;
  /** Columns with the names of these are imported, too. */
  readonly declarations: FieldDeclarations;
}

/** Imports a file and prints what became of its lines. Returns 1 if some of them have problems. */
export async function importPeople(options: ImportOptions): Promise<number> {
  const { store, isDryRun, stdout, stderr } = options;
  const file = await readFile(options);
  stdout.write(describeColumns(file));
  if (file.problem !== null) {
    throw new ConfigError(`${options.path} cannot be imported: ${file.problem}, such as --column email=2`);
  }
  const report = isDryRun
    ? await tryImport(file, store.people)
    : await run(file, { store: store.list, welcome: options.welcome, stderr });
  const { counts, problems, states, sources } = report;
  stdout.write(`${isDryRun ? 'Would add' : 'Added'} ${counts.added}. On the list already: ${counts['on-list']}. `);
  stdout.write(`Repeated in the file: ${counts.repeated}. Lines with a problem: ${counts.problem}.\n`);
  if (counts.unsubscribed > 0) {
    stdout.write(`${isDryRun ? 'Would unsubscribe' : 'Unsubscribed'} by the file: ${counts.unsubscribed}.\n`);
  }
  if (counts.added > 0) {
    const byState = PERSON_STATES.filter((state) => states[state] > 0).map((state) => `${state} ${states[state]}`);
    const bySource = sources.map(({ source, people }) => `${source} ${people}`);
    stdout.write(`By state: ${byState.join(', ')}. By source: ${bySource.join(', ')}.\n`);
  }
  for (const { line, problem } of problems) stdout.write(`line ${line}: ${problem}\n`);
  if (report.asks_date_order) stdout.write(`Say how to read dates with --dates ${DATE_ORDERS.join(' or --dates ')}.\n`);
  return counts.problem === 0 ? 0 : 1;
}

function describeColumns({ columns }: ImportFile): string {
  const used = columns.flatMap(({ name, use }) => (use === null ? [] : [`${name} as ${use}`]));
  const ignored = columns.flatMap(({ name, use }) => (use === null ? [name] : []));
  return `Columns: ${used.join(', ') || 'none'}. Ignored: ${ignored.join(', ') || 'none'}.\n`;
}

async function readFile({ path, columns, dateOrder, declarations }: ImportOptions): Promise<ImportFile> {
  try {
    const choices = parseColumnChoices(columns, declarations);
    return await readImportFile(createReadStream(path), { now: Date.now(), declarations, choices, dateOrder });
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
