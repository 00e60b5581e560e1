import { readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CallOptions,
  Client,
  credentials,
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { connectFirestoreEmulator, type FirestoreDatabase } from './firestore-emulator.ts';
import { type DeployedIndexes, missingIndex } from './firestore-indexes.ts';
import {
  Calls,
  Faults,
  type FirestoreRequest,
  type FirestoreResponse,
  grpcError,
  htmlPage,
  readQuery,
  restError,
  type Verb,
} from './firestore-traffic.ts';
import { serveHttp } from './http-server.ts';

/** A database of the emulator with the proxy's view of it. Its methods bypass the proxy and the rules. */
export interface ProxiedDatabase extends FirestoreDatabase {
  readonly projectId: string;
  readonly calls: Calls;
  readonly faults: Faults;
  /** Queries that failed because production would reject them: their index is not deployed. */
  readonly rejectedQueries: readonly string[];
}

export interface FirestoreProxy {
  /** `http://127.0.0.1:PORT` */
  readonly restUrl: string;
  /** `127.0.0.1:PORT`, for `FIRESTORE_EMULATOR_HOST`. */
  readonly grpcHost: string;
  /** Returns the database of a project, empty unless the project was used before. */
  database(projectId: string): ProxiedDatabase;
  close(): Promise<void>;
}

interface Traffic extends ProxiedDatabase {
  readonly rejectedQueries: string[];
}

/**
 * A proxy in front of Google's emulator for missing features: it counts billed operations, makes requests fail, and
 * rejects queries without a deployed index, like production.
 */
export async function startFirestoreProxy(emulatorHost: string, indexes: DeployedIndexes): Promise<FirestoreProxy> {
  const emulator = connectFirestoreEmulator(emulatorHost);
  const databases = new Map<string, Traffic>();
  const findTraffic = (projectId: string): Traffic => {
    const traffic = databases.get(projectId) ?? {
      ...emulator.database(projectId),
      projectId,
      calls: new Calls(),
      faults: new Faults(),
      rejectedQueries: [],
    };
    databases.set(projectId, traffic);
    return traffic;
  };
  /** Returns why production would reject the request; null if it would not. */
  const reject = (body: FirestoreRequest, { rejectedQueries }: Traffic): string | null => {
    const { query, summed } = readQuery(body);
    const missing = query === undefined ? null : missingIndex(indexes, query, summed);
    if (missing === null) return null;
    rejectedQueries.push(missing);
    return `The query requires an index that is not deployed: ${missing}`;
  };
  const handling = { findTraffic, reject, emulatorHost };
  const agent = new Agent({ keepAlive: true });
  const rest = await serveHttp((incoming, response) => {
    respond(incoming, response, { ...handling, agent }).catch(() => response.destroy());
  });
  const grpc = await serveGrpc(handling);
  return {
    restUrl: rest.origin.replace('localhost', '127.0.0.1'),
    grpcHost: `127.0.0.1:${grpc.port}`,
    database: findTraffic,
    async close() {
      grpc.close();
      await rest.close();
      agent.destroy();
    },
  };
}

interface Handling {
  readonly emulatorHost: string;
  findTraffic(projectId: string): Traffic;
  reject(request: FirestoreRequest, traffic: Traffic): string | null;
}

const REST_VERB = /^\/v1\/projects\/([^/]+)\/databases\/[^/]+\/documents[^?]*:(\w+)(?:\?|$)/;
const VERBS: Readonly<Record<string, Verb>> = {
  batchGet: 'batchGet',
  batchWrite: 'batchWrite',
  beginTransaction: 'beginTransaction',
  commit: 'commit',
  rollback: 'rollback',
  runAggregationQuery: 'runAggregationQuery',
  runQuery: 'runQuery',
};

async function respond(
  incoming: IncomingMessage,
  response: ServerResponse,
  { findTraffic, reject, emulatorHost, agent }: Handling & { readonly agent: Agent },
): Promise<void> {
  const body = await buffer(incoming);
  const forward = () => relay(`http://${emulatorHost}${incoming.url}`, incoming, body, agent);
  const [, projectId = '', name = ''] = REST_VERB.exec(incoming.url ?? '') ?? [];
  const verb = incoming.method === 'POST' ? VERBS[name] : undefined;
  const send = (status: number, type: string, text: string, headers: IncomingHttpHeaders = {}) => {
    response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*', ...headers }).end(text);
  };
  if (verb === undefined) {
    const reply = await forward();
    response.writeHead(reply.status, reply.headers).end(reply.body);
    return;
  }
  const traffic = findTraffic(decodeURIComponent(projectId));
  const fault = traffic.faults.take(verb);
  if (fault !== undefined && 'status' in fault) {
    const { status, retryAfter, html = false } = fault;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    if (html) send(status, 'text/html; charset=UTF-8', htmlPage(status), headers);
    else send(status, 'application/json', restError(verb, status, 'A fault on demand.'), headers);
    return;
  }
  if (fault !== undefined && 'hang' in fault) return;
  if (fault !== undefined && 'delayMs' in fault) await delay(fault.delayMs);
  const dropped = fault !== undefined && 'drop' in fault ? fault.drop : null;
  if (dropped === 'before') {
    response.destroy();
    return;
  }
  const asked = readRequest(body);
  const rejected = reject(asked, traffic);
  if (rejected !== null) {
    send(400, 'application/json', restError(verb, 400, rejected));
    return;
  }
  const reply = await forward();
  if (reply.status === 200) traffic.calls.add(verb, asked, readResponses(reply.body));
  if (dropped === 'after') response.destroy();
  else response.writeHead(reply.status, reply.headers).end(reply.body);
}

/** Only JSON bodies can be queries or writes; the emulator rejects all others. */
function readRequest(body: Buffer): FirestoreRequest {
  try {
    const parsed: FirestoreRequest | null = JSON.parse(body.toString());
    return parsed ?? {};
  } catch {
    return {};
  }
}

function readResponses(body: Buffer): readonly FirestoreResponse[] {
  const parsed: FirestoreResponse | readonly FirestoreResponse[] = JSON.parse(body.toString());
  return [parsed].flat();
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function relay(url: string, { method = 'GET', headers }: IncomingMessage, body: Buffer, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (reply) => {
      const { 'transfer-encoding': _, ...received } = reply.headers;
      buffer(reply).then(
        (bytes) => resolve({ status: reply.statusCode ?? 502, headers: received, body: bytes }),
        reject,
      );
    });
    outgoing.on('error', reject).end(body);
  });
}

type Call = ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>;
type Method = MethodDefinition<Buffer, Buffer> & {
  readonly verb: Verb | undefined;
  readRequest(bytes: Buffer): FirestoreRequest & { readonly database?: string; readonly parent?: string };
  readResponse(bytes: Buffer): FirestoreResponse;
};

const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

/** Serves the Admin SDK, whose requests bypass the rules. */
async function serveGrpc({ findTraffic, reject, emulatorHost }: Handling) {
  const client = new Client(emulatorHost, credentials.createInsecure(), UNLIMITED);
  const server = new Server(UNLIMITED);
  const perform = async (method: Method, call: Call): Promise<readonly Buffer[]> => {
    const { verb } = method;
    const forward = () => (method.responseStream ? stream : unary)(client, method, call);
    if (verb === undefined) return forward();
    const asked = method.readRequest(call.request);
    const traffic = findTraffic((asked.database ?? asked.parent ?? '').split('/')[1] ?? '');
    const fault = traffic.faults.take(verb);
    if (fault !== undefined && 'status' in fault) throw grpcError(fault.status, 'A fault on demand.');
    if (fault !== undefined && 'hang' in fault) return new Promise(() => {});
    if (fault !== undefined && 'delayMs' in fault) await delay(fault.delayMs);
    const dropped = fault !== undefined && 'drop' in fault ? fault.drop : null;
    if (dropped === 'before') throw grpcError(503, 'Connection dropped.');
    const rejected = reject(asked, traffic);
    if (rejected !== null) throw grpcError(400, rejected);
    // The response is lost, even if it is an error.
    if (dropped === 'after') {
      await Promise.allSettled([forward()]);
      throw grpcError(503, 'Connection dropped.');
    }
    const responses = await forward();
    traffic.calls.add(verb, asked, responses.map(method.readResponse));
    return responses;
  };
  for (const [name, method] of describeMethods()) {
    const handle = (call: Call) => perform(method, call);
    server.addService(
      { [name]: method },
      { [name]: method.responseStream ? handleStream(handle) : handleUnary(handle) },
    );
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    close() {
      server.forceShutdown();
      client.close();
    },
  };
}

const same = (bytes: Buffer): Buffer => bytes;

/** Returns the caller's credentials and deadline. */
function forwardedOptions(call: Call): [Metadata, CallOptions] {
  const metadata = new Metadata();
  for (const name of ['authorization', 'google-cloud-resource-prefix', 'x-goog-request-params']) {
    for (const value of call.metadata.get(name)) metadata.add(name, value);
  }
  return [metadata, { deadline: call.getDeadline() }];
}

function unary(client: Client, { path: method }: Method, call: Call): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const [metadata, options] = forwardedOptions(call);
    const done = (error: ServiceError | null, response?: Buffer) =>
      error === null ? resolve(response === undefined ? [] : [response]) : reject(error);
    const sent = client.makeUnaryRequest(method, same, same, call.request, metadata, options, done);
    call.on('cancelled', () => sent.cancel());
  });
}

function stream(client: Client, { path: method }: Method, call: Call): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const responses: Buffer[] = [];
    const sent = client.makeServerStreamRequest<Buffer, Buffer>(
      method,
      same,
      same,
      call.request,
      ...forwardedOptions(call),
    );
    sent.on('data', (response: Buffer) => responses.push(response));
    sent.on('error', reject).on('end', () => resolve(responses));
    call.on('cancelled', () => sent.cancel());
  });
}

function handleUnary(run: (call: Call) => Promise<readonly Buffer[]>) {
  return (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
    run(call).then(([response = Buffer.alloc(0)]) => callback(null, response), callback);
  };
}

function handleStream(run: (call: Call) => Promise<readonly Buffer[]>) {
  return (call: ServerWritableStream<Buffer, Buffer>) => {
    run(call).then(
      (responses) => {
        for (const response of responses) call.write(response);
        call.end();
      },
      (error: unknown) => call.emit('error', error),
    );
  };
}

/** Google's methods by name, except those with request streams. Only the fields that are read here are decoded. */
function describeMethods(): readonly (readonly [string, Method])[] {
  const service = loadProtos().lookupService('google.firestore.v1.Firestore');
  return service.methodsArray
    .filter(({ requestStream }) => !requestStream)
    .map((method) => {
      const { name, resolvedRequestType, resolvedResponseType, responseStream = false } = method;
      if (resolvedRequestType === null || resolvedResponseType === null) throw new Error(`${name} has no types.`);
      const read = (type: protobuf.Type) => (bytes: Buffer) =>
        type.toObject(type.decode(bytes), { enums: String, longs: String });
      const described: Method = {
        path: `/google.firestore.v1.Firestore/${name}`,
        requestStream: false,
        responseStream,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
        verb: VERBS[name === 'BatchGetDocuments' ? 'batchGet' : name.charAt(0).toLowerCase() + name.slice(1)],
        readRequest: read(resolvedRequestType),
        readResponse: read(resolvedResponseType),
      };
      return [name, described] as const;
    });
}

/** Google's protocol definitions are part of its client, which does not export their path. */
function loadProtos(): protobuf.Root {
  const require = createRequire(import.meta.url);
  const client = require.resolve('@google-cloud/firestore/package.json');
  const file = path.join(path.dirname(client), 'build', 'protos', 'v1.json');
  const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(file, 'utf8')));
  root.resolveAll();
  return root;
}
