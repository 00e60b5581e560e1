import { once } from 'node:events';
import express, { type Request, type Response } from 'express';
import { type FunctionTree, functionsByName, type LocalFunction } from './function-tree.ts';

export interface LocalOptions {
  readonly projectId: string;
  /** Default: `us-central1`. */
  readonly region?: string;
  /** Default: a free port. */
  readonly port?: number;
}

export interface LocalFunctions {
  /** `http://127.0.0.1:PORT`, for the adapter's `emulator.functions`. */
  readonly url: string;
  /** The URL of a function. Triggers accept CloudEvents there. */
  urlOf(name: string): string;
  close(): Promise<void>;
}

/**
 * Serves functions on loopback as the Functions emulator does, at `/{project}/{region}/{name}`. Callables and HTTP functions get
 * their requests, triggers structured CloudEvents. Responds with 500 if a trigger fails, so that the sender retries.
 */
export async function serveLocally(
  functions: FunctionTree,
  { projectId, region = 'us-central1', port = 0 }: LocalOptions,
): Promise<LocalFunctions> {
  const byName = functionsByName(functions);
  const app = express().disable('x-powered-by');
  // The runtime of Cloud Functions provides both the raw and the parsed body.
  app.use(express.raw({ type: () => true, limit: '10mb' }), parseBody);
  // Removes this part of the path, so that a function gets the path that follows its name, as it does behind Hosting.
  app.use(`/${projectId}/${region}/:name`, async (request, response) => {
    const found = byName.get(request.params.name);
    if (found === undefined) response.status(404).send('no such function');
    else await run(found, request, response);
  });
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the functions listen on no port');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    urlOf: (name) => `${url}/${projectId}/${region}/${name}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function run(found: LocalFunction, request: Request, response: Response): Promise<void> {
  if (found.kind === 'http') {
    await found.handle(request, response);
    return;
  }
  try {
    await found.take(request.body);
    response.status(204).end();
  } catch {
    response.status(500).end();
  }
}

function parseBody(request: Request, _response: Response, next: () => void): void {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  Object.assign(request, { rawBody: raw });
  if (/json/.test(request.header('content-type') ?? '')) request.body = parseJson(raw);
  next();
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}
