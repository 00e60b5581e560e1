import { setTimeout as delay } from 'node:timers/promises';
import { createdEvent } from '@early-access-kit/firebase';
import type { WireDocument } from '@early-access-kit/firestore-fake';

const RETRY_MS = 500;
const SWEEP_MS = 60_000;

export interface Triggers {
  created(path: string, document: WireDocument): void;
  /** Stops calling functions, and waits for the calls in progress. */
  stop(): Promise<void>;
}

interface TriggerOptions {
  readonly projectId: string;
  functionUrl(name: string): string;
}

/** Calls the background functions: the trigger for each new signup, retried until it succeeds, and the sweep every minute. */
export function startTriggers({ projectId, functionUrl }: TriggerOptions): Triggers {
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

  const sweeps = setInterval(() => begin(post('sweep-mails', {}).then(() => {})), SWEEP_MS);
  return {
    created(path, { fields }) {
      if (!path.startsWith('email_signups/')) return;
      begin(deliver('mail-new-signup', createdEvent({ projectId, path, fields: fields ?? {} })));
    },
    async stop() {
      clearInterval(sweeps);
      stopped.abort();
      await Promise.all(underWay);
    },
  };
}
