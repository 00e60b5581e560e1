import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../app/config-error.ts';
import { describeError } from '../../app/ports/log.ts';
import { type Command, UsageError } from '../command.ts';
import { COMPOSE, DOCKERFILE, DOCKERIGNORE } from './container-files.ts';
import { envTemplate } from './env-template.ts';
import { systemdUnit } from './systemd-unit.ts';

const USAGE = 'init [--systemd] [--docker] [--compose]';

export const INIT_HELP = `\
  init                  write a commented .env into this folder; never overwrites a file
       --systemd        and early-access.service, a unit for systemd
       --docker         and Dockerfile and .dockerignore
       --compose        and compose.yaml, with the files of --docker
`;

const DOCKER_FILES = { Dockerfile: DOCKERFILE, '.dockerignore': DOCKERIGNORE };
/** The contents of the files that each flag adds, by name. */
const FILES_OF_FLAG = new Map<string, (folder: string) => Readonly<Record<string, string>>>([
  ['--systemd', (folder) => ({ 'early-access.service': systemdUnit({ node: process.execPath, folder }) })],
  ['--docker', () => DOCKER_FILES],
  ['--compose', () => ({ ...DOCKER_FILES, 'compose.yaml': COMPOSE })],
]);

/**
 * Creates the command that writes the files listed in `USAGE` to `folder`. Returns 1 if one of them already exists,
 * which is not changed.
 */
export function initCommand(folder: string): Command {
  return async ({ args, stdout }) => {
    const contents = { '.env': envTemplate() };
    for (const flag of args) {
      const addFiles = FILES_OF_FLAG.get(flag);
      if (addFiles === undefined) throw new UsageError(`usage: ${USAGE}`);
      Object.assign(contents, addFiles(folder));
    }
    let code = 0;
    for (const [name, content] of Object.entries(contents)) {
      const written = writeNew(join(folder, name), content);
      stdout.write(written ? `Wrote    ${name}\n` : `Exists   ${name}, which is not changed\n`);
      if (!written) code = 1;
    }
    return code;
  };
}

/** Returns false if the file already exists. */
function writeNew(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new ConfigError(
      `${file} cannot be written: ${describeError(error)}; choose another folder, or correct its permissions`,
    );
  }
}
