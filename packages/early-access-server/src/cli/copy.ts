import { existsSync } from 'node:fs';
import { ConfigError } from '../app/config-error.ts';
import { describeError } from '../app/ports/log.ts';
import { dataPaths, readDataDir } from '../settings/config.ts';
import { SETTINGS } from '../settings/setting-list.ts';
import type { CopyTarget } from '../stores/postgres/copy-target.ts';
import {
  type Checksum,
  COPIED_TABLES,
  type CopiedTable,
  combined,
  computeChecksum,
  isEqual,
  type Key,
} from '../stores/sql/copied-tables.ts';
import { type CopySource, openCopySource } from '../stores/sqlite/copy-source.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { readServerAddress, withinReach } from './postgres.ts';

const COPY_USAGE = 'copy --from sqlite --to postgres';

/** Rows per transaction. An interrupted copy continues after the last complete one. */
const STEP = 2_000;
/** How often to copy again because the file changed in the meantime. */
const PASSES = 5;

/**
 * Copies everything from the SQLite file in `DATA_DIR` to the database in `DATABASE_URL`. Skips rows that are already
 * equal, so an interrupted copy can be started again.
 */
export const copy: Command = async (context) => {
  if (context.args.join(' ') !== '--from sqlite --to postgres') throw new UsageError(`usage: ${COPY_USAGE}`);
  const url = SETTINGS.DATABASE_URL.require(context.env);
  const { database } = dataPaths(readDataDir(context.env));
  if (!existsSync(database)) throw new ConfigError(`there is no ${database}; set DATA_DIR to the server’s data folder`);
  const { openCopyTarget } = await import('../stores/postgres/copy-target.ts');
  const source = openSource(database);
  try {
    return await withinReach(url, async () => {
      const target = await openCopyTarget(url);
      try {
        await begin(source, target, url, context);
        await copyUntilUnchanged(source, target, context);
        await verify(source, target, context);
        await target.finish(source.lastNumber);
        context.stdout.write(`Copied ${database} to ${readServerAddress(url)}. All counts and checksums match.\n`);
        return 0;
      } finally {
        await target.close();
      }
    });
  } finally {
    source.close();
  }
};

function openSource(file: string): CopySource {
  try {
    return openCopySource(file);
  } catch (error) {
    throw new ConfigError(`the database ${file} cannot be copied: ${describeError(error)}`);
  }
}

async function begin(source: CopySource, target: CopyTarget, url: string, { stderr }: CommandContext): Promise<void> {
  const state = await target.begin(source.id);
  const database = `the database at ${readServerAddress(url)}`;
  if (state === 'other-data') throw new ConfigError(`${database} holds other data; copy to an empty one`);
  if (state === 'finished')
    throw new ConfigError(`${database} was copied from this file before, and may be in use now`);
  if (state === 'resumed') stderr.write('Resuming the interrupted copy.\n');
}

async function copyUntilUnchanged(source: CopySource, target: CopyTarget, context: CommandContext): Promise<void> {
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const version = source.version();
    if ((await copyTables(source, target, context)) && source.version() === version) return;
    context.stderr.write('The file has changed since the copy began: is the server running? Copying the changes.\n');
  }
  throw new ConfigError(
    'a server is still writing to the file; stop it and run this command again to continue from here',
  );
}

/** Returns false if a table is inconsistent with one that was copied before, because the file changed in between. */
async function copyTables(source: CopySource, target: CopyTarget, { stderr }: CommandContext): Promise<boolean> {
  for (const table of COPIED_TABLES) {
    const total = source.count(table);
    let done = 0;
    for (const { range, rows } of steps(table, source)) {
      const isCopied = isEqual(computeChecksum(table, rows), await target.checksum(table, range));
      if (!isCopied && !(await target.replace(table, range, rows))) return false;
      done += rows.length;
      if (rows.length > 0) stderr.write(`${table.name}: ${done} of ${total}\n`);
    }
  }
  return true;
}

function* steps(table: CopiedTable, source: CopySource) {
  for (let after: Key | null = null; ; ) {
    const rows = source.read(table, after, STEP);
    const last: unknown = rows.at(-1)?.[table.key];
    const until: Key | null =
      rows.length === STEP && (typeof last === 'number' || typeof last === 'string') ? last : null;
    yield { range: { after, until }, rows };
    if (until === null) return;
    after = until;
  }
}

async function verify(source: CopySource, target: CopyTarget, { stdout }: CommandContext): Promise<void> {
  const different: string[] = [];
  for (const table of COPIED_TABLES) {
    const [ofSource, ofTarget]: [Checksum[], Checksum[]] = [[], []];
    for (const { range, rows } of steps(table, source)) {
      ofSource.push(computeChecksum(table, rows));
      ofTarget.push(await target.checksum(table, range));
    }
    const [expected, found] = [combined(ofSource), combined(ofTarget)];
    if (!isEqual(expected, found)) different.push(table.name);
    stdout.write(`${table.name.padEnd(22)} ${String(found.rows).padStart(9)} rows  ${found.md5}\n`);
  }
  if (different.length > 0) {
    throw new ConfigError(`the copies of ${different.join(', ')} differ; stop the server and run this command again`);
  }
}
