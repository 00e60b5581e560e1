import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { fromProto3JSON, toProto3JSON } from 'proto3-json-serializer';
import protobuf from 'protobufjs';
import { OWNER } from '../engine/guard.ts';
import { asStatusError, STATUS, StatusError } from '../status.ts';
import type { FaultPlan } from './faults.ts';
import { type Api, OPERATIONS, type Verb } from './operations.ts';
import { statusName } from './responses.ts';

/** Google's method names. Other methods return UNIMPLEMENTED. */
const METHODS: Readonly<Record<string, Verb>> = {
  Commit: 'commit',
  BatchGetDocuments: 'batchGet',
  RunQuery: 'runQuery',
  RunAggregationQuery: 'runAggregationQuery',
  BeginTransaction: 'beginTransaction',
  Rollback: 'rollback',
  BatchWrite: 'batchWrite',
};
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** The gRPC server on 127.0.0.1, for the Admin SDK. Its callers bypass the rules. */
export async function serveGrpc(api: Api, faults: FaultPlan): Promise<{ port: number; stop(): void }> {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  const service = loadProtos().lookupService('google.firestore.v1.Firestore');
  for (const [name, verb] of Object.entries(METHODS)) {
    const method = describe(service, name);
    const run = (request: object) => perform(api, faults, verb, request);
    server.addService({ [name]: method }, { [name]: method.responseStream ? streaming(run) : unary(run) });
  }
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, actual) => {
      if (error === null) resolve(actual);
      else reject(error);
    });
  });
  return { port: bound, stop: () => server.forceShutdown() };
}

/** Applies a fault, then runs the operation. A closed connection is UNAVAILABLE in gRPC. */
async function perform(api: Api, faults: FaultPlan, verb: Verb, request: object): Promise<object> {
  const fault = faults.take(verb);
  if (fault !== undefined && 'status' in fault) throw new StatusError(statusName(fault.status), 'A fault on demand.');
  if (fault !== undefined && 'delayMs' in fault) await delay(fault.delayMs);
  if (fault !== undefined && 'hang' in fault) return new Promise(() => {});
  if (fault === undefined || !('drop' in fault)) return OPERATIONS[verb](api, request, OWNER);
  // The response is lost, even if it is an error.
  if (fault.drop === 'after') await Promise.allSettled([OPERATIONS[verb](api, request, OWNER)]);
  throw new StatusError('UNAVAILABLE', 'Connection dropped.');
}

function unary(run: (request: object) => Promise<object>) {
  return (call: ServerUnaryCall<object, object>, callback: sendUnaryData<object>) => {
    run(call.request).then(
      (response) => callback(null, response),
      (error: unknown) => callback(grpcError(error)),
    );
  };
}

function streaming(run: (request: object) => Promise<object>) {
  return (call: ServerWritableStream<object, object>) => {
    run(call.request).then(
      (responses) => {
        for (const response of Array.isArray(responses) ? responses : [responses]) call.write(response);
        call.end();
      },
      (error: unknown) => call.emit('error', grpcError(error)),
    );
  };
}

function grpcError(error: unknown): Error & { code: number; details: string } {
  const refusal = asStatusError(error);
  return Object.assign(refusal, { code: STATUS[refusal.status].grpc, details: refusal.message });
}

/** Converts messages to and from protobuf's JSON, which the operations use. */
function describe(service: protobuf.Service, name: string): MethodDefinition<object, object> {
  const method = service.methods[name];
  method?.resolve();
  const [requestType, responseType] = [method?.resolvedRequestType, method?.resolvedResponseType];
  if (!requestType || !responseType) throw new Error(`Google's protos have no ${name}.`);
  const decode = (type: protobuf.Type, bytes: Uint8Array): object => {
    const json = toProto3JSON(type.decode(bytes));
    return typeof json === 'object' && json !== null ? json : {};
  };
  const encode = (type: protobuf.Type, json: object): Buffer => {
    const message = fromProto3JSON(type, JSON.parse(JSON.stringify(json)));
    if (message === null) throw new Error(`No ${type.name} can be made of the response.`);
    return Buffer.from(type.encode(message).finish());
  };
  return {
    path: `/google.firestore.v1.Firestore/${name}`,
    requestStream: false,
    responseStream: method?.responseStream === true,
    requestSerialize: (json) => encode(requestType, json),
    requestDeserialize: (bytes) => decode(requestType, bytes),
    responseSerialize: (json) => encode(responseType, json),
    responseDeserialize: (bytes) => decode(responseType, bytes),
  };
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
