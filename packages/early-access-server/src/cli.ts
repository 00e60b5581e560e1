#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from './app/config-error.ts';
import { backup } from './cli/commands/backup.ts';
import { type Command, UsageError } from './cli/commands/command.ts';
import { exportSignups } from './cli/commands/export.ts';
import { forget } from './cli/commands/forget.ts';
import { help } from './cli/commands/help.ts';
import { mail } from './cli/commands/mail.ts';
import { serveCommand } from './cli/serve.ts';

/** The same folder from `src` and from `dist`. The installed package has no site. */
const SITE = fileURLToPath(new URL('../../../site', import.meta.url));
const FOLDERS = {
  siteDir: existsSync(join(SITE, 'package.json')) ? join(SITE, 'dist/client') : null,
  embedDir: fileURLToPath(new URL('dist/script', import.meta.resolve('early-access-kit/package.json'))),
};

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand(FOLDERS),
  export: exportSignups,
  forget,
  backup,
  mail,
  help,
  '--help': help,
  '-h': help,
};

async function run([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const { env, stdout, stderr } = process;
  try {
    if (command === undefined) throw new UsageError(`there is no command "${name}"; --help lists them`);
    return await command({ args, env, stdout, stderr });
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof UsageError)) throw error;
    stderr.write(`early-access-kit: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

// A log on a full disk, or whose reader has gone, must not end the server.
process.stderr.on('error', () => {});
// Addresses of people lie in what this program writes: for its own user alone.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));
