import { randomUUID } from 'node:crypto';
import { startFirestoreFake } from '@early-access-kit/firestore-fake';
import { findFirestoreEmulator, startFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';

/** A function to call for each new document that its pattern matches, as the Functions emulator describes it. */
interface DocumentTrigger {
  /** The id of the function with its generation: `us-central1-mail-new-signup-0`. */
  readonly key: string;
  /** `email_signups/{id}` */
  readonly document: string;
}

/** A Firestore on this machine that calls functions, empty at the start. */
export interface FirestoreEngine {
  /** Names the engine, and the reason if it is not Google's. */
  readonly description: string;
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

/** Starts Google's emulator if this machine has it, and otherwise the in-memory Firestore. */
export async function startFirestoreEngine(options: EngineOptions): Promise<FirestoreEngine> {
  const found = findFirestoreEmulator();
  if (typeof found === 'string') return startInMemory(options, found);
  const { projectId, rules, port, functionsHost } = options;
  const engine = await startFirestoreEmulator(found, { port, functionsHost });
  await engine.setRules(projectId, rules);
  return {
    description: 'Google’s emulator',
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

async function startInMemory(options: EngineOptions, reason: string): Promise<FirestoreEngine> {
  const { projectId, rules, port, functionsHost } = options;
  const triggers: DocumentTrigger[] = [];
  const fake = await startFirestoreFake({
    projectId,
    rules,
    port,
    onCreated(path, { fields = {} }) {
      const [collection] = path.split('/');
      for (const { key } of triggers.filter(({ document }) => document === `${collection}/{id}`)) {
        // A failed call is not repeated, as in Google's emulator: the schedules find what is left over.
        fetch(`http://${functionsHost}/functions/projects/${projectId}/triggers/${key}`, {
          method: 'POST',
          headers: { 'content-type': 'application/cloudevents+json' },
          body: JSON.stringify(createdEvent({ projectId, path, fields })),
        }).catch(() => {});
      }
    },
  });
  return {
    description: `in memory, because Google’s emulator cannot run here: ${reason}`,
    url: fake.restUrl,
    host: fake.grpcHost,
    register: async (trigger) => void triggers.push(trigger),
    stop: fake.stop,
  };
}

/**
 * The event that Eventarc delivers when a document is created: a CloudEvent in structured JSON. `path` is such as `email_signups/abc`, and
 * `fields` are in the format of Firestore's REST API.
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
