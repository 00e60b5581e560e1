import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createTwoFilesPatch, diffTrimmedLines } from 'diff';
import { type Command, ConfigError, UsageError } from 'early-access-server/app';
import { CODEBASE, findFunctionsFolder, findOtherCodebase } from './firebase-json.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';

const CONFIG = 'firebase.json';
const USAGE = 'init [--functions <folder>]';

export const INIT_HELP = `\
  init                  write firebase.json, the rules, the indexes and the functions into this folder, a new or an existing
                        project; files that exist stay as they are, and what they lack is shown as a diff (exit code 1)
       --functions      the folder of the functions; "functions" by default
`;

/** Makes the command that writes a Firebase project into `folder`. Returns 1 if there is something to merge by hand. */
export function initCommand(folder: string, readParameters: () => string): Command {
  return async ({ args, stdout }) => {
    const file = path.join(folder, CONFIG);
    const config = existsSync(file) ? parseObject(file, readFileSync(file, 'utf8')) : {};
    const functions = chooseFunctionsFolder(config, readOptions(args));
    const files = projectFiles(config, functions, readParameters());
    const differing = files.filter((file) => !writeFile(folder, file, stdout));
    stdout.write(differing.length > 0 ? MERGE : nextSteps(functions));
    return differing.length > 0 ? 1 : 0;
  };
}

const MERGE = `
Add the lines marked with + to these files. Lines marked with - are yours: remove each that an added line replaces.
Then run init again: it reports nothing once nothing is missing.
`;

function readOptions(args: readonly string[]): string | undefined {
  try {
    const options = { functions: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false }).values.functions;
  } catch {
    throw new UsageError(`usage: ${USAGE}`);
  }
}

function parseObject(file: string, text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below, without the text.
  }
  throw new ConfigError(`${file} is not a JSON object; correct it (comments are not supported), and run init again`);
}

/** The folder that the project has our functions in, or the one that was asked for, unless other functions are in it. */
function chooseFunctionsFolder(config: JsonObject, wanted = findFunctionsFolder(config) ?? 'functions'): string {
  const current = findFunctionsFolder(config);
  if (current !== null && current !== wanted)
    throw new ConfigError(`${CONFIG} has the functions in ${current}; run init without --functions`);
  const other = findOtherCodebase(config, wanted);
  if (other !== null) {
    const free = `${CODEBASE}-functions`;
    throw new ConfigError(
      `${wanted} has the functions of the codebase "${other}"; choose another folder: init --functions ${free}`,
    );
  }
  return wanted;
}

/** Writes the file if it does not exist, and otherwise compares it. Returns false if it lacks something. */
function writeFile(folder: string, file: ProjectFile, stdout: NodeJS.WritableStream): boolean {
  const { name, content, isOwn = false } = file;
  const target = path.join(folder, name);
  if (!existsSync(target)) {
    writeNew(target, content);
    stdout.write(`Wrote    ${name}\n`);
    return true;
  }
  const patch = isOwn ? null : differences(file, readFileSync(target, 'utf8'), target);
  if (patch === null) stdout.write(`Exists   ${name}\n`);
  else stdout.write(`Differs  ${name}, which was not changed:\n\n${patch}\n`);
  return patch === null;
}

function writeNew(file: string, content: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: 'wx' });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new ConfigError(`${file} cannot be written: ${reason}; choose another folder, or correct its permissions`);
  }
}

/** A unified diff from an existing file to one with everything of ours; null if it lacks nothing. */
function differences({ name, content, merge }: ProjectFile, existing: string, file: string): string | null {
  if (merge === undefined) return hasAllLines(existing, content) ? null : unifiedDiff(name, existing, content);
  const theirs = parseObject(file, existing);
  const merged = merge(theirs);
  if (isDeepStrictEqual(theirs, merged)) return null;
  // Both in one format, so that only what is missing differs.
  const indent = /^([ \t]+)"/m.exec(existing)?.[1] ?? 2;
  const format = (value: JsonObject) => `${JSON.stringify(value, null, indent)}\n`;
  return unifiedDiff(name, format(theirs), format(merged));
}

/** Whether the text has every line of ours, in order. It may have others between them: the project's own rules, for instance. */
function hasAllLines(existing: string, ours: string): boolean {
  return diffTrimmedLines(existing, ours).every(({ added }) => !added);
}

function unifiedDiff(name: string, from: string, to: string): string {
  return createTwoFilesPatch(name, `${name} with early-access-firebase`, from, to, '', '').replace(/^=+\n/, '');
}

function nextSteps(functions: string): string {
  return `
Next:
  1. Set MAIL_FROM and PUBLIC_URL in ${functions}/.env.
  2. npm --prefix ${functions} install
  3. firebase use --add selects the Firebase project of this folder, unless .firebaserc names it.
  4. firebase functions:secrets:set SMTP_URL and firebase functions:secrets:set INVITE_KEY
  5. firebase deploy
`;
}
