import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type FieldDeclarations, isStorageError } from 'early-access-kit/core';
import { ConfigError } from '../app/config-error.ts';
import { parseColumnChoices } from '../app/import/columns.ts';
import { DATE_ORDERS } from '../app/import/parse-time.ts';
import {
  type ImportFile,
  type ImportReport,
  listProblems,
  PROBLEM_COLUMNS,
  readImportFile,
  runImport,
  tryImport,
} from '../app/import/run-import.ts';
import { parseValueChoices } from '../app/import/value-choices.ts';
import { VALUE_MEANINGS } from '../app/import/value-meanings.ts';
import { PERSON_STATES } from '../app/lifecycle/states.ts';
import { describeError } from '../app/ports/log.ts';
import type { Store } from '../app/ports/store.ts';
import { writeCsv } from '../app/text/csv.ts';
import { type CommandContext, UsageError } from './command.ts';

const USAGE = `usage: import <file> [--dry-run] [--welcome] [--column email=Name]… [--value Column:value=meaning]… [--dates ${DATE_ORDERS.join('|')}] [--problems <file>]`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  welcome: { type: 'boolean', default: false },
  column: { type: 'string', multiple: true },
  value: { type: 'string', multiple: true },
  dates: { type: 'string' },
  problems: { type: 'string' },
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
    return {
      ...{ path, isDryRun: values['dry-run'], welcome: values.welcome, dateOrder },
      ...{ columns: values.column ?? [], values: values.value ?? [], problemsPath: values.problems ?? null },
    };
  } catch (error) {
    // `parseArgs` throws a `TypeError` if an option does not exist.
    throw error instanceof TypeError ? new UsageError(USAGE) : error;
  }
}

export interface ImportOptions
  extends Pick<CommandContext, 'stdout' | 'stderr'>,
    ReturnType<typeof parseImportArguments> {
  readonly store: Store;
  /** Columns named like these fields are imported as well. */
  readonly declarations: FieldDeclarations;
}

/**
 * Imports a file and prints the result. Returns 1 if some lines have problems, or if the admin has to make a choice
 * first.
 */
export async function importPeople(options: ImportOptions): Promise<number> {
  const { store, isDryRun, problemsPath, stdout, stderr } = options;
  const file = await readFile(options);
  stdout.write(describeFile(file));
  if (problemsPath !== null) await writeProblems(file, problemsPath);
  if (file.problem !== null) {
    stdout.write(describeChoices(file, options));
    throw new ConfigError(`${options.path} cannot be imported: ${file.problem}`);
  }
  const report = isDryRun
    ? await tryImport(file, store.people)
    : await run(file, { store: store.list, welcome: options.welcome, name: basename(options.path), stderr });
  const { counts, problems, states, sources, subscribed_by_ignoring: ignoring } = report;
  stdout.write(`${isDryRun ? 'Would add' : 'Added'} ${counts.added}. On the list already: ${counts['on-list']}. `);
  stdout.write(`Repeated in the file: ${counts.repeated}. Lines with a problem: ${counts.problem}.\n`);
  if (counts['left-out'] > 0) stdout.write(`Left out: ${counts['left-out']}.\n`);
  if (counts.unsubscribed > 0) {
    stdout.write(`${isDryRun ? 'Would unsubscribe' : 'Unsubscribed'} by the file: ${counts.unsubscribed}.\n`);
  }
  if (counts.added > 0) {
    const byState = PERSON_STATES.filter((state) => states[state] > 0).map((state) => `${state} ${states[state]}`);
    const bySource = sources.map(({ source, people }) => `${source} ${people}`);
    stdout.write(`By state: ${byState.join(', ')}. By source: ${bySource.join(', ')}.\n`);
  }
  if (report.undated > 0) stdout.write(`Without a signup date, at the end of the line: ${report.undated}.\n`);
  if (ignoring > 0) stdout.write(`Subscribed because a consent value is ignored: ${ignoring}.\n`);
  for (const { line, problem, address, value } of problems) {
    const cells = [...new Set([address, value])].filter(Boolean).join(', ');
    stdout.write(`line ${line}: ${problem}${cells && ` (${printable(cells)})`}\n`);
  }
  if (counts.problem > problems.length) stdout.write('Write all lines with a problem to a file with --problems.\n');
  if (!isDryRun && ignoring > 0) {
    await store.admin.addAudit({ session: 'command', action: 'ignore-consent', count: ignoring });
  }
  return counts.problem === 0 ? 0 : 1;
}

function describeFile({ columns, skipped, encoding }: ImportFile): string {
  const used = columns.flatMap(({ name, use }) => (use === null ? [] : [`${name} as ${use}`]));
  const ignored = columns.flatMap(({ name, use }) => (use === null ? [name] : []));
  return [
    ...(encoding === null ? [] : [`Read as ${encoding}.`]),
    ...skipped.map((line) => `Skipped above the header row: ${line}`),
    `Columns: ${used.join(', ') || 'none'}. Ignored: ${ignored.join(', ') || 'none'}.`,
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
}

/** The missing options, ready to be pasted once their meanings are filled in. */
function describeChoices(
  { questions, asks_date_order }: ImportFile,
  { dateOrder }: Pick<ImportOptions, 'dateOrder'>,
): string {
  const lines = questions.flatMap(({ column, name, values, more }) => {
    const open = values.filter(({ meaning }) => meaning === null);
    const options = open.map(({ value, people, example }) => {
      const option = `--value ${quote(`${column}:${value}=MEANING`)}`;
      return `  ${option}  # ${value || 'no value'}: ${people}, such as ${example}`;
    });
    if (options.length === 0) return [];
    const others = more > 0 ? [`  --value ${quote(`${column}:*=MEANING`)}  # ${more} other values, too`] : [];
    return [`Decide for ${name}:`, ...options, ...others];
  });
  return [
    ...lines,
    ...(lines.length > 0 ? [`MEANING is one of ${VALUE_MEANINGS.join(', ')}.`] : []),
    ...(asks_date_order ? [`Choose how to read dates with --dates ${DATE_ORDERS.join(' or --dates ')}.`] : []),
    ...(lines.length === 0 && !asks_date_order && dateOrder === null
      ? ['Choose columns with --column, such as --column email=2.']
      : []),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
}

/** Removes control characters that could affect the terminal. They make no difference for matching values. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** Quotes an argument for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function writeProblems(file: ImportFile, path: string): Promise<void> {
  const output = createWriteStream(path, { mode: 0o600 });
  try {
    await writeCsv(listProblems(file), PROBLEM_COLUMNS, output);
    await finished(output.end());
  } catch (error) {
    throw new ConfigError(`${path} cannot be written: ${describeError(error)}`);
  }
}

async function readFile({ path, columns, values, dateOrder, declarations }: ImportOptions): Promise<ImportFile> {
  try {
    const choices = parseColumnChoices(columns, declarations);
    return await readImportFile(createReadStream(path), {
      ...{ now: Date.now(), declarations, dateOrder },
      ...{ choices, values: parseValueChoices(values) },
    });
  } catch (error) {
    // The error message contains the line.
    const reason = isStorageError(error) ? error.message.replace(/^early-access-kit: /, '') : describeError(error);
    throw new ConfigError(`${path} cannot be imported: ${reason}`);
  }
}

async function run(
  file: ImportFile,
  {
    stderr,
    ...options
  }: Pick<ImportOptions, 'stderr' | 'welcome'> & { readonly store: Store['list']; readonly name: string },
): Promise<ImportReport> {
  for await (const event of runImport(file, options)) {
    if (event.type === 'done') return event.report;
    if (event.type === 'progress') stderr.write(`${event.done} of ${event.people}\n`);
  }
  throw new Error('the import ended early');
}
