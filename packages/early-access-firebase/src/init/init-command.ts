import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createTwoFilesPatch, diffTrimmedLines } from 'diff';
import { type Command, ConfigError, parseEnvText, readPublicRoutes, UsageError } from 'early-access-server/internal';
import { pathsOfSite } from '../functions/hosted-paths.ts';
import { rulesOfProject, settingsOfProject } from '../rules/rules-command.ts';
import {
  CODEBASE,
  findFunctionsFolder,
  findOtherCodebase,
  findSite,
  firestoreFiles,
  type ProjectOptions,
} from './firebase-json.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import type { Ask } from './questions.ts';

const CONFIG = 'firebase.json';
const USAGE = '[--functions <folder>] [--public <folder>] [--region <region>]';

export const INIT_HELP = `\
  init                  write firebase.json, the rules, the indexes and the functions into this folder, a new or an existing
                        project; files that exist stay as they are, and what they lack is shown as a diff (exit code 1)
       --functions      the folder of the functions; "functions" by default
       --public         the folder of the pages; that of firebase.json, "dist" of a project with a build, or "public"
       --region         the region of the functions, which must be that of the database; us-central1 by default
  check                 report what init would do, and write nothing; exit code 1 too if a file is missing
`;

/**
 * Returns the command that writes a Firebase project into `folder`, or only checks it if its name is `check`. Without
 * `ask`, it uses the proposed values. The command returns 1 if something has to be corrected manually.
 */
export function initCommand(
  folder: string,
  readParameters: () => string,
  { name = 'init', ask = async (_, proposal) => proposal }: { name?: 'init' | 'check'; ask?: Ask | undefined } = {},
): Command {
  return async ({ args, env, stdout }) => {
    const config = readConfig(folder, CONFIG);
    const wanted = readOptions(name, args);
    const functions = chooseFunctionsFolder(config, wanted.functions);
    const defaults = readParameters();
    const project = findProject(readConfig(folder, '.firebaserc'));
    const settings = settingsOfProject(path.join(folder, functions), project);
    const options = {
      functions,
      site: await chooseSite(folder, findSite(config), wanted.public, ask),
      region: await chooseRegion(path.join(folder, functions, '.env'), defaults, wanted.region, ask),
      pathsOfSite: pathsOfSite(readPublicRoutes(settings)),
    };
    const parameters = defaults.replace(REGION_LINE, `FUNCTIONS_REGION=${options.region}`);
    const ownRules = path.join(folder, firestoreFiles(config).rules);
    const theirs = existsSync(ownRules) ? readFileSync(ownRules, 'utf8') : '';
    const rules = rulesOfProject(settings, path.join(folder, functions), theirs);
    const files = projectFiles(config, options, { parameters, rules });
    const advice = new Set(
      files.flatMap((file) => (name === 'init' && writeNew(folder, file, stdout) ? [] : compare(folder, file, stdout))),
    );
    for (const text of advice) stdout.write(text);
    if (advice.size === 0 && name === 'init') {
      stdout.write(nextSteps(options, readScripts(folder), env.npm_lifecycle_event));
    }
    return advice.size === 0 ? 0 : 1;
  };
}

const MISSING = '\nRun init, which writes what is missing.\n';
const MERGE = `
Add the lines marked with + to these files. Lines marked with - are yours: remove each that an added line replaces.
Then run init again: it reports nothing once nothing is missing.
`;
const OPEN = `
The rules above may let anyone read or change what the functions store, such as people’s addresses. In Firestore, access that one rule allows
is allowed, whatever the others say. Limit each to your own collections (match /posts/{id}), or remove it. Then run init again.
`;

const REGION_LINE = /^FUNCTIONS_REGION=.*$/m;

function readOptions(name: string, args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { functions: text, public: text, region: text };
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch {
    throw new UsageError(`usage: ${name} ${USAGE}`);
  }
}

function readConfig(folder: string, name: string): JsonObject {
  const file = path.join(folder, name);
  return existsSync(file) ? parseObject(file, readFileSync(file, 'utf8')) : {};
}

function readScripts(folder: string): JsonObject {
  const { scripts } = readConfig(folder, 'package.json');
  return isObject(scripts) ? scripts : {};
}

/** Returns the project that `firebase use` has selected for the folder. */
function findProject({ projects }: JsonObject): string | null {
  return isObject(projects) && typeof projects.default === 'string' ? projects.default : null;
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

/** Returns the folder of our functions: an existing one, or the requested one unless it contains other functions. */
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

/**
 * Returns the folder of the pages: that of `firebase.json`; otherwise `public` if it contains a page, or `dist` if
 * there is a build, which most tools write there.
 */
async function chooseSite(folder: string, current: string | null, wanted: string | undefined, ask: Ask) {
  if (current !== null && wanted !== undefined && wanted !== current)
    throw new ConfigError(`${CONFIG} has the pages in ${current}; change it there, and run init without --public`);
  const isBuilt = 'build' in readScripts(folder) && !existsSync(path.join(folder, 'public/index.html'));
  return current ?? wanted ?? (await ask('The folder of the pages?', isBuilt ? 'dist' : 'public'));
}

/** Returns the region in the functions' settings, or else asks for it. */
async function chooseRegion(settings: string, defaults: string, wanted: string | undefined, ask: Ask) {
  const own = existsSync(settings) ? parseEnvText(readFileSync(settings, 'utf8')).FUNCTIONS_REGION : undefined;
  if (own && wanted !== undefined && wanted !== own)
    throw new ConfigError(`${settings} has FUNCTIONS_REGION=${own}; change it there, and run init without --region`);
  const proposal = parseEnvText(defaults).FUNCTIONS_REGION ?? '';
  const region = own || (wanted ?? (await ask('The region of the database and the functions?', proposal)));
  if (/^[a-z]+-[a-z]+\d+$/.test(region)) return region;
  throw new ConfigError(
    `"${region}" is not a region of functions, such as europe-west1; take us-central1 for a database in nam5, and europe-west4 for eur3`,
  );
}

/** Writes the file if it does not exist. Returns whether it did. */
function writeNew(folder: string, { name, content }: ProjectFile, stdout: NodeJS.WritableStream): boolean {
  const file = path.join(folder, name);
  if (existsSync(file)) return false;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: 'wx' });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new ConfigError(`${file} cannot be written: ${reason}; choose another folder, or correct its permissions`);
  }
  stdout.write(`Wrote    ${name}\n`);
  return true;
}

/** Prints what the file lacks and which of its rules are too open. Returns advice. */
function compare(folder: string, file: ProjectFile, stdout: NodeJS.WritableStream): readonly string[] {
  const { name, isOwn = false, findOpen } = file;
  const target = path.join(folder, name);
  if (!existsSync(target)) {
    stdout.write(`Missing  ${name}\n`);
    return [MISSING];
  }
  const existing = isOwn ? '' : readFileSync(target, 'utf8');
  const patch = isOwn ? null : differences(file, existing, target);
  const open = findOpen?.(existing) ?? [];
  if (patch !== null) stdout.write(`Differs  ${name}, which was not changed:\n\n${patch}\n`);
  if (open.length > 0)
    stdout.write(`Open     ${name}, which was not changed:\n\n${open.map((line) => `  ${line}\n`).join('')}\n`);
  if (patch === null && open.length === 0) stdout.write(`Exists   ${name}\n`);
  return [...(patch === null ? [] : [MERGE]), ...(open.length === 0 ? [] : [OPEN])];
}

/** Returns a unified diff that adds what the file lacks; null if it lacks nothing. */
function differences({ name, content, merge }: ProjectFile, existing: string, file: string): string | null {
  if (merge === undefined) return hasAllLines(existing, content) ? null : unifiedDiff(name, existing, content);
  const theirs = parseObject(file, existing);
  const merged = merge(theirs);
  if (isDeepStrictEqual(theirs, merged)) return null;
  // Formats both in the same way, so that only missing parts differ.
  const indent = /^([ \t]+)"/m.exec(existing)?.[1] ?? 2;
  const format = (value: JsonObject) => `${JSON.stringify(value, null, indent)}\n`;
  return unifiedDiff(name, format(theirs), format(merged));
}

/** Returns whether the text has all lines of ours in order, possibly with others between them, such as own rules. */
function hasAllLines(existing: string, ours: string): boolean {
  return diffTrimmedLines(existing, ours).every(({ added }) => !added);
}

function unifiedDiff(name: string, from: string, to: string): string {
  return createTwoFilesPatch(name, `${name} with early-access-firebase`, from, to, '', '').replace(/^=+\n/, '');
}

/**
 * The project's own scripts win, because they build the pages first. `running`: the one that runs this command, and may
 * install the functions itself, as that of create-early-access does.
 */
function nextSteps({ functions, site, region }: ProjectOptions, scripts: JsonObject, running = ''): string {
  const install = `npm --prefix ${functions} install`;
  const emulators = 'emulators' in scripts ? 'npm run emulators' : `npm --prefix ${functions} run emulators`;
  const steps = [
    ...(String(scripts[running]).includes(install) ? [] : [install]),
    `${emulators} serves ${site} and the functions on this machine, without an account.`,
    `Set MAIL_FROM, PUBLIC_URL and ADMIN_EMAIL in ${functions}/.env.`,
    `firebase use --add selects the Firebase project of this folder, whose database is in ${region}.`,
    'firebase functions:secrets:set SMTP_URL and firebase functions:secrets:set INVITE_KEY',
    'deploy' in scripts ? 'npm run deploy' : 'firebase deploy',
  ];
  return `\nNext:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}
