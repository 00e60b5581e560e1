import packageJson from '../package.json' with { type: 'json' };
import { adminCommands } from './cli/admin-commands.ts';
import { backup } from './cli/backup.ts';
import { checkCommand } from './cli/check/check.ts';
import { helpCommands, runCommand } from './cli/command.ts';
import { copy } from './cli/copy.ts';
import { existingData } from './cli/data-folder.ts';
import { readingEnvFile } from './cli/env-file.ts';
import { HELP } from './cli/help.ts';
import { initCommand } from './cli/init/init.ts';
import { mails } from './cli/mails.ts';
import { mcp } from './cli/mcp.ts';
import { openApiCommand } from './cli/openapi.ts';
import { restore } from './cli/restore.ts';
import { serveCommand } from './cli/serve.ts';
import { kitScripts } from './http/public/embed.ts';

const serve = serveCommand(kitScripts());
const openapi = openApiCommand(kitScripts());
const COMMANDS = {
  ...readingEnvFile({
    '': serve,
    serve,
    ...adminCommands(existingData),
    backup,
    restore,
    copy,
    openapi,
    mails,
    check: checkCommand(existingData),
  }),
  mcp,
  init: initCommand(process.cwd()),
  ...helpCommands(HELP, packageJson.version),
};

// A full disk or a closed pipe must not end the server.
process.stderr.on('error', () => {});
process.exitCode = await runCommand(COMMANDS, process.argv.slice(2), process, 'early-access-server');
