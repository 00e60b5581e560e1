import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Command, readFieldsFile, UsageError } from 'early-access-server/app';
import { RULES_FILE } from '../package-files.ts';
import { generateRules } from './generate-rules.ts';

const USAGE = 'usage: rules [--fields <file>] [--human-check]';

export const RULES_HELP = `\
  rules                 print the Firestore rules; --fields <file>: of a site with the fields that this JSON file declares;
                        --human-check: so that browsers cannot write signups, for a site that checks for humans
`;

/** Prints the rules of a site with custom fields or a human check. Throws a `ConfigError` if the declaration cannot be used. */
export async function printRules({ args, stdout }: Pick<Parameters<Command>[0], 'args' | 'stdout'>): Promise<number> {
  const { fields: file, 'human-check': humanCheck } = readOptions(args);
  const fields = file === undefined ? {} : readFieldsFile(file);
  stdout.write(generateRules(readFileSync(RULES_FILE, 'utf8'), { fields, humanCheck }));
  return 0;
}

function readOptions(args: readonly string[]) {
  try {
    const options = { fields: { type: 'string' }, 'human-check': { type: 'boolean', default: false } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch {
    throw new UsageError(USAGE);
  }
}
