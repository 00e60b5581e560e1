import { randomUUID } from 'node:crypto';
import { findFirestoreEmulator, startFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';

/** A function to call for each new document that matches, as the Functions emulator describes it. */
interface DocumentTrigger {
  /** The id of the function with its generation: `us-central1-mail-new-signup-0`. */
  readonly key: string;
  /** `email_signups/{id}` */
  readonly document: string;
}

/** A local Firestore that calls functions, empty at the start. */
export interface FirestoreEngine {
  /** `http://127.0.0.1:PORT`, for REST. */
  readonly url: string;
  /** `127.0.0.1:PORT`, for `FIRESTORE_EMULATOR_HOST`. */
  readonly host: string;
  register(trigger: DocumentTrigger): Promise<void>;
  stop(): Promise<void>;
}

interface EngineOptions {
  readonly projectId: string;
  readonly rules: string;
  readonly port: number;
  /** `127.0.0.1:PORT` of the Functions emulator. */
  readonly functionsHost: string;
}

const CREATED = 'google.cloud.firestore.document.v1.created';

/** Starts Google's emulator. Rejects with what to install if it cannot run here. */
export async function startFirestoreEngine(options: EngineOptions): Promise<FirestoreEngine> {
  const found = findFirestoreEmulator();
  if (typeof found === 'string')
    throw new Error(`Google’s Firestore emulator cannot run: ${found}. docs/commands.md says where it is looked for.`);
  const { projectId, rules, port, functionsHost } = options;
  const engine = await startFirestoreEmulator(found, { port, functionsHost });
  await engine.database(projectId).setRules(rules);
  return {
    url: engine.url,
    host: engine.host,
    async register({ key, document }) {
      const url = `${engine.url}/emulator/v1/projects/${projectId}/eventarcTrigger?eventarcTriggerId=${key}`;
      const trigger = { eventType: CREATED, database: '(default)', namespace: '(default)' };
      const body = JSON.stringify({ ...trigger, document: { value: document, matchType: 'PATH_PATTERN' } });
      const response = await fetch(url, { method: 'POST', body });
      if (!response.ok) throw new Error(`the Firestore emulator: ${await response.text()}`);
    },
    stop: engine.stop,
  };
}

/**
 * Returns the event that Eventarc delivers when a document is created: a CloudEvent in structured JSON. `path` is like
 * `email_signups/abc`; `fields` are in the format of Firestore's REST API.
 */
export function createdEvent({ projectId, path, fields }: { projectId: string; path: string; fields: unknown }) {
  const time = new Date().toISOString();
  const name = `projects/${projectId}/databases/(default)/documents/${path}`;
  return {
    specversion: '1.0',
    id: randomUUID(),
    type: CREATED,
    source: `//firestore.googleapis.com/projects/${projectId}/databases/(default)`,
    subject: `documents/${path}`,
    time,
    datacontenttype: 'application/json',
    project: projectId,
    database: '(default)',
    namespace: '(default)',
    location: 'us-central1',
    document: path,
    data: { value: { name, fields, createTime: time, updateTime: time } },
  };
}
