import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CREATE, FIREBASE, SERVER } from '@early-access-kit/testkit/packages';
import { isTask, NPM_SCRIPTS } from '../npm-scripts.ts';
import { ROOT, run } from '../run.ts';
import type { Snippet } from './snippet.ts';

/** Third-party programs, whose arguments are not checked. */
const PROGRAMS = new Set(
  'awk cd cp curl docker export f firebase gcloud git grep journalctl mkdir node openssl rm sudo systemctl tr'.split(
    ' ',
  ),
);

const { output: HELP } = await run('node', [`${SERVER}/src/cli.ts`, '--help']);
const { output: FIREBASE_HELP } = await run('node', [`${FIREBASE}/src/cli.ts`, '--help']);
const CREATE_SOURCE = globSync(`${CREATE}/src/*.ts`, { cwd: ROOT })
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
  .join('\n');

/** Returns errors in the commands: bad syntax, and unknown scripts, commands, options or settings. */
export async function shellErrors({ document, code }: Snippet): Promise<string[]> {
  const { code: exitCode, output } = await run('sh', ['-n', '-c', code]);
  const syntax = exitCode === 0 ? [] : [output];
  return [...syntax, ...(await wrongCommands(code))].map((complaint) => `${document}: ${complaint}`);
}

/** A schedule before a command, as in a crontab. */
const SCHEDULE = /^[\d*]+( [\d*]+){4} /gm;
const COMMENT = /(^|\s)#.*$/gm;
const QUOTED = /'[^']*'|"[^"]*"/g;
const SETTING = /^[A-Z][A-Z0-9_]*(?==)/;

async function wrongCommands(code: string): Promise<string[]> {
  const complaints: string[] = [];
  const plain = code
    .replaceAll(QUOTED, 'text')
    .replaceAll(COMMENT, '')
    .replaceAll(SCHEDULE, '')
    .replaceAll('\\\n', ' ');
  for (const command of plain.split(/\n|&&|\|/)) {
    const words = command.trim().split(/\s+/).filter(Boolean);
    while (words[0] !== undefined && SETTING.test(words[0])) complaints.push(...(await unknownSetting(words.shift())));
    if (words[0] === 'export') complaints.push(...(await unknownSetting(words[1])));
    if (words.length > 0)
      complaints.push(...wrongCommand(words).map((complaint) => `${complaint} in "${command.trim()}"`));
  }
  return complaints;
}

/** A setting exists if any file except documents reads it. */
export async function unknownSetting(assignment = ''): Promise<string[]> {
  const name = SETTING.exec(assignment)?.[0] ?? assignment;
  const { code } = await run('git', ['grep', '--quiet', '--word-regexp', name, '--', '*.ts', '*.tsx', '*.mjs']);
  return code === 0 ? [] : [`nothing reads the setting ${name}`];
}

function wrongCommand([program = '', ...words]: readonly string[]): string[] {
  const [name = '', ...rest] = words;
  if (program === 'npx' && name === '--prefix') return wrongCommand(['npx', ...rest.slice(1)]);
  if (program === 'npx' && name === 'early-access-server') return wrongOptions(rest, HELP);
  if (program === 'npx' && name === 'early-access-firebase') return wrongOptions(rest, FIREBASE_HELP);
  if (program === 'node' && name.endsWith('early-access-server/dist/cli.js')) return wrongOptions(rest, HELP);
  if (program === 'npx')
    return ['astro', 'openapi-typescript', 'shadcn', 'sv'].includes(name) ? [] : [`unknown tool ${name}`];
  if (program === 'npm' && name === 'create') return wrongOptions(rest.slice(1), CREATE_SOURCE);
  if (program === 'npm') return wrongNpmCommand(name, rest);
  if (program === 'node' && name.startsWith('packages/'))
    return existsSync(path.join(ROOT, name)) ? [] : [`no file ${name}`];
  return PROGRAMS.has(program) || /^f=/.test(program) ? [] : [`unknown program ${program}`];
}

function wrongNpmCommand(name: string, [script = '', ...rest]: readonly string[]): string[] {
  // The command runs in a different folder with its own scripts.
  if (name === '--prefix') return wrongNpmCommand(rest[0] ?? '', rest.slice(1));
  if (['install', 'i', 'ci'].includes(name)) return [];
  const wanted = name === 'run' ? script : name;
  const [, task = ''] = rest;
  if (wanted === 'task' && !isTask(task)) return [`no task ${task}`];
  return NPM_SCRIPTS.has(wanted) ? [] : [`no script ${wanted}`];
}

/** Options and the command's name must be in the program's own help. */
function wrongOptions(words: readonly string[], help: string): string[] {
  const [command = ''] = words.filter((word) => /^[a-z]+$/.test(word));
  const unknown = command === '' || new RegExp(`^ +${command}\\b|'?${command}'?:`, 'm').test(help) ? [] : [command];
  const options = words.filter((word) => /^--\w/.test(word) && !help.includes(word));
  return [...unknown, ...options].map((word) => `unknown ${word}`);
}
