import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEarlyAccess } from '../http/application/early-access.ts';
import { pickAppOptions, readConfig } from '../settings/config.ts';
import { type Command, noArguments } from './command.ts';
import { openData } from './data-folder.ts';

/**
 * Creates the command that prints the OpenAPI document of a server with these settings. It only opens an empty database
 * in a temporary folder.
 */
export function openApiCommand(builtScripts: string): Command {
  return async (context) => {
    noArguments(context, 'openapi');
    const config = readConfig(context.env, builtScripts);
    const folder = mkdtempSync(join(tmpdir(), 'early-access-openapi-'));
    const store = openData(folder);
    try {
      const { fetch } = createEarlyAccess({ ...pickAppOptions(config), store });
      const response = await fetch(new Request('http://localhost/api/openapi.json'));
      const document: unknown = JSON.parse(await response.text());
      context.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      return 0;
    } finally {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
