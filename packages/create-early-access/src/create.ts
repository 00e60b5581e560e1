import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { intro, log, note, outro, spinner } from '@clack/prompts';
import { FIRESTORE_PAGES, hasStore } from './choices.ts';
import { Failure } from './failure.ts';
import { checkFolder, packageName } from './folder.ts';
import { currentPackageManager, install, PACKAGE_MANAGERS } from './install.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { createPrompts, REFUSED, type Terminal, WITH_DEFAULTS } from './questions.ts';
import { writeProject } from './write-project.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Runs the program and returns its exit code. Expected failures print one line to standard error. */
export async function create(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options.command === 'help') terminal.stdout.write(HELP);
    else if (options.command === 'version') terminal.stdout.write(`${version()}\n`);
    else await createProject(options, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.stderr.write(`create-early-access: ${error.message}\n`);
    return error.exitCode;
  }
}

async function createProject(options: Options, terminal: Terminal): Promise<void> {
  const { stdin, stdout: output, env, cwd } = terminal;
  const isInteractive = stdin.isTTY && output.isTTY;
  const questions = options.yes ? WITH_DEFAULTS : isInteractive ? createPrompts(terminal) : REFUSED;
  if (options.folder !== undefined) checkFolder(path.resolve(cwd, options.folder));
  intro('create-early-access', { output });
  const shownFolder = options.folder ?? (await questions.folder());
  const folder = path.resolve(cwd, shownFolder);
  const framework = options.framework ?? (await questions.framework());
  const store = options.store ?? (await questions.store(framework));
  // One of them may come from a question, so the combination is checked again.
  if (!hasStore(framework, store)) throw new Failure(FIRESTORE_PAGES, 2);
  const packageManager = options.packageManager ?? currentPackageManager(env.npm_config_user_agent);
  const commands = PACKAGE_MANAGERS[packageManager];

  // Checked again: files may have been written since the question, or there was no question.
  checkFolder(folder);
  const template = path.join(PACKAGE, 'dist', 'templates', `${framework}-${store}`);
  writeProject(template, folder, { name: packageName(folder), ...commands });
  log.success(`Wrote the project to ${folder}`, { output });
  const goThere = folder === cwd ? [] : [`cd ${shownFolder}`];
  if (options.install) {
    const installing = install({
      folder,
      env,
      command: commands.install,
      repeat: [...goThere, commands.install].join(' && '),
    });
    await shown(`Installing with ${packageManager}`, installing, terminal);
  }
  const settings = store === 'postgres' ? ['set DATABASE_URL in .env'] : [];
  const start =
    store === 'firestore' ? [`${commands.run} setup`, `${commands.run} emulators`] : [`${commands.run} dev`];
  const steps = [...goThere, ...settings, ...(options.install ? [] : [commands.install]), ...start];
  note(steps.join('\n'), 'Next steps', { output });
  outro('Then sign up on the page that it shows. README.md in the project describes its files.', { output });
}

/** Shows a spinner while work is in progress; without a terminal, a single line. */
async function shown(message: string, work: Promise<void>, { stdout: output }: Terminal): Promise<void> {
  if (!output.isTTY) {
    log.step(message, { output });
    return await work;
  }
  const progress = spinner({ output });
  progress.start(message);
  try {
    await work;
  } catch (error) {
    progress.error(`${message}: failed`);
    throw error;
  }
  progress.stop(`${message}: done`);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
  return manifest.version;
}
