import { setTimeout as delay } from 'node:timers/promises';
import { createdEvent } from '@early-access-kit/firebase';
import type { WireDocument } from '@early-access-kit/firestore-fake';

const RETRY_MS = 500;
const SCHEDULED = ['sweep-mails', 'roll-up-analytics'];
/** The functions to call for each new document of a collection. */
const TRIGGERS = new Map<string | undefined, string>([
  ['email_signups', 'mail-new-signup'],
  ['admin_sign_in_requests', 'mail-sign-in-link'],
]);

export interface Triggers {
  created(path: string, document: WireDocument): void;
  /** Stops calling functions, and waits for the calls in progress. */
  stop(): Promise<void>;
}

interface TriggerOptions {
  readonly projectId: string;
  /** How long a schedule waits after it has run. */
  readonly scheduleMs: number;
  functionUrl(name: string): string;
}

/** Calls the background functions: the triggers for new documents, retried until they succeed, and the schedules again and again. */
export function startTriggers({ projectId, scheduleMs, functionUrl }: TriggerOptions): Triggers {
  const stopped = new AbortController();
  const { signal } = stopped;
  const underWay = new Set<Promise<void>>();

  async function post(name: string, body: unknown): Promise<boolean> {
    const headers = { 'content-type': 'application/cloudevents+json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(functionUrl(name), init).catch(() => undefined);
    return response?.ok === true;
  }

  async function deliver(name: string, body: unknown): Promise<void> {
    while (!signal.aborted && !(await post(name, body))) {
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  function begin(work: Promise<void>): void {
    underWay.add(work);
    work.finally(() => underWay.delete(work));
  }

  /** Runs one at a time, as the deployed schedules do. */
  async function repeat(name: string): Promise<void> {
    for (;;) {
      await delay(scheduleMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await post(name, {});
    }
  }

  for (const name of SCHEDULED) begin(repeat(name));
  return {
    created(path, { fields }) {
      const name = TRIGGERS.get(path.split('/', 1)[0]);
      if (name !== undefined) begin(deliver(name, createdEvent({ projectId, path, fields: fields ?? {} })));
    },
    async stop() {
      stopped.abort();
      await Promise.all(underWay);
    },
  };
}
