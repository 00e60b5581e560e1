import { finished } from 'node:stream/promises';
import * as z from 'zod';
import { isLoopback } from '../app/access/loopback.ts';
import { isApiKey } from '../app/access/secrets.ts';
import { ConfigError } from '../app/config-error.ts';
import { loadOptional } from '../app/optional-package.ts';
import { describeError } from '../app/ports/log.ts';
import { type Operation, readOperations } from '../http/routing/openapi/operations.ts';
import { describeTools, toolServer } from '../http/routing/openapi/tools.ts';
import type { Environment } from '../settings/setting.ts';
import { type CommandContext, noArguments } from './command.ts';

const TIMEOUT_MS = 30_000;
const currentKey = z.object({ api_key: z.object({ scopes: z.array(z.string()) }) });

/** The server's URL and a key for it. */
interface Access {
  readonly url: URL;
  readonly key: string;
}

/** Serves MCP over stdin and stdout until stdin ends, with a tool for each route that the API key may call. */
export async function mcp(context: CommandContext): Promise<number> {
  noArguments(context, 'mcp');
  const access = readAccess(context.env);
  const { serveStdio, ...sdk } = await loadOptional(
    async () => ({
      ...(await import('@modelcontextprotocol/server')),
      ...(await import('@modelcontextprotocol/server/stdio')),
    }),
    'mcp needs a package: npx --package early-access-server --package @modelcontextprotocol/server early-access-server mcp',
  );
  const { operations, scopes } = await readApi(access);
  const tools = describeTools(operations, sdk);
  serveStdio(() => toolServer(tools, scopes, sdk, (path, request) => send(new URL(path, access.url), request, access)));
  await finished(process.stdin, { writable: false });
  return 0;
}

function readAccess({ EARLY_ACCESS_URL = '', EARLY_ACCESS_KEY = '' }: Environment): Access {
  if (!URL.canParse(EARLY_ACCESS_URL)) {
    throw new ConfigError('EARLY_ACCESS_URL must be where the server is, such as https://www.example.com');
  }
  const url = new URL(EARLY_ACCESS_URL);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigError('EARLY_ACCESS_URL must begin with https://, because the key is sent there');
  }
  if (isApiKey(EARLY_ACCESS_KEY)) return { url, key: EARLY_ACCESS_KEY };
  throw new ConfigError('EARLY_ACCESS_KEY must be an API key of the dashboard, which begins with eak_');
}

interface Api {
  readonly operations: readonly Operation[];
  readonly scopes: readonly string[];
}

/** Throws a `ConfigError` if the server rejects the key or does not respond. */
async function readApi(access: Access): Promise<Api> {
  async function read(path: string): Promise<unknown> {
    const response = await send(new URL(path, access.url), { method: 'GET' }, access);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new ConfigError(`${access.url.origin} responds to ${path} with ${response.status}: ${text.slice(0, 200)}`);
  }
  try {
    const { scopes } = currentKey.parse(await read('/api/admin/api-keys/current')).api_key;
    return { scopes, operations: readOperations(await read('/api/openapi.json')) };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${access.url.origin} cannot be used: ${describeError(error)}`);
  }
}

function send(url: URL, request: RequestInit, { key }: Access): Promise<Response> {
  return fetch(url, {
    ...request,
    headers: { ...request.headers, Authorization: `Bearer ${key}` },
    // Following a redirect would send the key to another URL.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
