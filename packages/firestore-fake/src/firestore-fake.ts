import type { Server } from 'node:http';
import { type WireDocument, wireDocument } from './data/document.ts';
import { createNames } from './data/names.ts';
import type { Calls } from './engine/calls.ts';
import { Engine } from './engine/engine.ts';
import { OWNER } from './engine/guard.ts';
import { rulesGuard } from './rules/guard.ts';
import { parseRules, type Rules } from './rules/rules.ts';
import { isOwner } from './servers/credentials.ts';
import { FaultPlan, type Faults } from './servers/faults.ts';
import { serveGrpc } from './servers/grpc.ts';
import { serveRest } from './servers/rest.ts';
import { type StoreView, storeView } from './store-view.ts';

export type { WireDocument } from './data/document.ts';
export type { MapFields, Value } from './data/value.ts';
export type { Calls } from './engine/calls.ts';
export { parseRules, type Rules } from './rules/rules.ts';
export type { Fault, Faults } from './servers/faults.ts';
export type { StoreView } from './store-view.ts';

export interface FirestoreFakeOptions {
  /** Default: `demo-early-access`. */
  readonly projectId?: string;
  /** The text of `firestore.rules`, or what decides instead. Without rules only the `owner` token has access over REST. */
  readonly rules?: string | Rules;
  /** Epoch milliseconds, for `request.time` and server timestamps. */
  readonly now?: () => number;
  /** The port of REST. Default: a free port. */
  readonly port?: number;
  /** Called with each created document, as a trigger would be. Must not throw. */
  readonly onCreated?: (path: string, document: WireDocument) => void;
}

export interface FirestoreFake {
  /** `http://127.0.0.1:PORT` */
  readonly restUrl: string;
  /** `127.0.0.1:PORT`, for `FIRESTORE_EMULATOR_HOST`. */
  readonly grpcHost: string;
  readonly store: StoreView;
  readonly calls: Calls;
  readonly faults: Faults;
  /** Throws if the text has an unknown construct; the previous rules then remain in effect. */
  setRules(text: string): void;
  stop(): Promise<void>;
}

/** How long a request waits for the lock of another transaction. */
const LOCK_TIMEOUT_MS = 10_000;

/** Starts an empty database with a REST and a gRPC server on 127.0.0.1. */
export async function startFirestoreFake(options: FirestoreFakeOptions = {}): Promise<FirestoreFake> {
  const names = createNames(options.projectId ?? 'demo-early-access');
  let rules = typeof options.rules === 'string' ? parseRules(options.rules) : options.rules;
  const engine = new Engine({
    names,
    now: options.now ?? Date.now,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    onCreated: (document) => options.onCreated?.(document.path, wireDocument(document, names)),
  });
  const api = { engine, names };
  const faults = new FaultPlan();
  const rest = await serveRest(
    {
      api,
      faults,
      guardOf: (authorization) => (isOwner(authorization) ? OWNER : rulesGuard({ rules, calls: engine.calls })),
    },
    options.port ?? 0,
  );
  const grpc = await serveGrpc(api, faults);
  return {
    restUrl: `http://127.0.0.1:${getPort(rest)}`,
    grpcHost: `127.0.0.1:${grpc.port}`,
    store: storeView(engine, names),
    calls: engine.calls,
    faults,
    setRules(text) {
      rules = parseRules(text);
    },
    async stop() {
      grpc.stop();
      await closed(rest);
    },
  };
}

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The REST server has no port.');
  return address.port;
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
