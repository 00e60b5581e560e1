import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Command,
  ConfigError,
  type Environment,
  parseEnvText,
  parseWholeNumber,
  readFieldsFile,
  readTextFile,
  UsageError,
} from 'early-access-server/internal';
import { RULES_FILE } from '../package-files.ts';
import { generateRules, opensSignups } from './generate-rules.ts';

const USAGE = 'usage: rules [--fields <file>] [--direct-signups] [--retention-days <days>]';
const MAX_RETENTION_DAYS = 3_650;

export const RULES_HELP = `\
  rules                 print the Firestore rules; --fields <file>: of a site with the fields that this JSON file declares;
                        --direct-signups: so that browsers write signups themselves, without the function;
                        --retention-days <days>: of a site that stores sessions for longer or shorter than 395 days
`;

/** Prints the security rules for a site. Throws a `ConfigError` if the declaration of its fields is invalid. */
export async function printRules({ args, stdout }: Pick<Parameters<Command>[0], 'args' | 'stdout'>): Promise<number> {
  const { fields, 'direct-signups': directSignups, 'retention-days': days } = readOptions(args);
  stdout.write(rulesOf({ SIGNUP_FIELDS: fields, RETENTION_DAYS: days }, process.cwd(), directSignups));
  return 0;
}

function readOptions(args: readonly string[]) {
  try {
    const options = {
      fields: { type: 'string' },
      'direct-signups': { type: 'boolean', default: false },
      'retention-days': { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch {
    throw new UsageError(USAGE);
  }
}

/** Reads the parameters in the functions' dotenv files, like `firebase deploy` for a project. */
export function settingsOfProject(functions: string, project: string | null): Environment {
  const files = ['.env', `.env.${project}`]
    .map((name) => path.join(functions, name))
    .filter((file) => existsSync(file));
  return Object.assign({}, ...files.map((file) => parseEnvText(readTextFile(file))));
}

/**
 * Returns the rules that match the parameters of the functions in a folder. If the project's existing rules let
 * browsers write signups, so do these, unless there is a human check, which only the function makes.
 */
export function rulesOfProject(settings: Environment, functions: string, own: string): string {
  return rulesOf(settings, functions, opensSignups(own) && ['', 'off'].includes(settings.HUMAN_CHECK ?? ''));
}

/** `folder`: the base of the relative path to the fields. */
function rulesOf({ SIGNUP_FIELDS, RETENTION_DAYS }: Environment, folder: string, directSignups: boolean): string {
  return generateRules(readFileSync(RULES_FILE, 'utf8'), {
    fields: SIGNUP_FIELDS ? readFieldsFile(path.resolve(folder, SIGNUP_FIELDS)) : {},
    directSignups,
    retentionDays: RETENTION_DAYS ? readRetentionDays(RETENTION_DAYS) : undefined,
  });
}

function readRetentionDays(text: string): number {
  const days = parseWholeNumber(text.trim());
  if (days !== null && days >= 1 && days <= MAX_RETENTION_DAYS) return days;
  throw new ConfigError(`RETENTION_DAYS must be a whole number from 1 to ${MAX_RETENTION_DAYS}, not "${text}"`);
}
