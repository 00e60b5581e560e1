import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { asObject } from '../data/json.ts';
import type { Guard } from '../engine/guard.ts';
import { asStatusError, invalid, StatusError } from '../status.ts';
import type { Fault, FaultPlan } from './faults.ts';
import { type Api, OPERATIONS, type Verb } from './operations.ts';
import { htmlPage, sendError, sendHtml, sendJson, sendPreflight } from './responses.ts';

export interface RestOptions {
  readonly api: Api;
  readonly faults: FaultPlan;
  /** Throws for an `Authorization` that is unknown. */
  readonly guardOf: (authorization: string | undefined) => Guard;
}

interface Target {
  readonly verb: Verb;
  /** The path before the verb: the root ('') or a document. */
  readonly path: string;
}

const STREAMING: readonly Verb[] = ['batchGet', 'runQuery', 'runAggregationQuery'];
const WITH_PARENT: readonly Verb[] = ['runQuery', 'runAggregationQuery'];
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** The REST API on 127.0.0.1. */
export async function serveRest(options: RestOptions, port: number): Promise<Server> {
  const server = createServer((request, response) => void respond(request, response, options));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function respond(request: IncomingMessage, response: ServerResponse, options: RestOptions): Promise<void> {
  if (request.method === 'OPTIONS') return sendPreflight(request, response);
  let streaming = false;
  let lost = false;
  try {
    const target = parseTarget(request, options.api);
    streaming = STREAMING.includes(target.verb);
    const body = await readBody(request);
    const fault = options.faults.take(target.verb);
    if (fault !== undefined && (await preempted(fault, response, streaming))) return;
    lost = fault !== undefined && 'drop' in fault;
    const result = await perform(target, body, request, options);
    if (lost) response.destroy();
    else sendJson(response, 200, result);
  } catch (error) {
    if (lost) response.destroy();
    else sendError(response, asStatusError(error), streaming);
  }
}

/** Applies the fault. Returns whether it replaces the request. */
async function preempted(fault: Fault, response: ServerResponse, streaming: boolean): Promise<boolean> {
  if ('delayMs' in fault) {
    await delay(fault.delayMs);
    return false;
  }
  if ('hang' in fault) return true;
  if ('drop' in fault) {
    if (fault.drop === 'before') response.destroy();
    return fault.drop === 'before';
  }
  if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
  if (fault.html === true) sendHtml(response, fault.status, htmlPage(fault.status));
  else sendError(response, { httpStatus: fault.status, message: 'A fault on demand.' }, streaming);
  return true;
}

async function perform(target: Target, body: string, request: IncomingMessage, { api, guardOf }: RestOptions) {
  const guard = guardOf(request.headers.authorization);
  return OPERATIONS[target.verb](api, { ...place(target, api), ...parseBody(body) }, guard);
}

/** The database or the parent from the URL; in gRPC they are part of the request. */
function place({ verb, path }: Target, { names }: Api): Readonly<Record<string, string>> {
  if (WITH_PARENT.includes(verb)) return { parent: names.full(path) };
  if (path !== '') throw invalid(`${verb} is asked of the database, not of a document.`);
  return { database: names.database };
}

function parseTarget(request: IncomingMessage, { names }: Api): Target {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const root = `/v1/${names.full('')}`;
  const decoded = decode(url.pathname);
  const rest = decoded.startsWith(root) ? /^(?:\/(.+?))?(?::([A-Za-z]+))?$/s.exec(decoded.slice(root.length)) : null;
  if (rest === null) throw new StatusError('NOT_FOUND', `There is nothing at ${url.pathname}.`);
  const [, path = '', verb] = rest;
  if (request.method === 'POST' && verb !== undefined && isVerb(verb)) return { verb, path };
  throw new StatusError('UNIMPLEMENTED', `The fake does not know ${request.method} ${url.pathname}.`);
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(OPERATIONS, text);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalid('The path is not valid UTF-8.');
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) throw invalid('The body is not bytes.');
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw invalid('Request payload size exceeds the limit: 10485760 bytes.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseBody(body: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    // Google's parser replaces lone surrogates, too.
    parsed = JSON.parse(body, (_, value: unknown) =>
      typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '?') : value,
    );
  } catch {
    throw invalid('Invalid JSON payload received.');
  }
  return asObject(parsed, 'The body');
}
