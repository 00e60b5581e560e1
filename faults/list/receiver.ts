import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { getPort } from '@early-access-kit/testkit/http-server';
import { readField } from 'early-access-server/internal';
import { onTestFinished } from 'vitest';
import type { Admin } from '../support/admin.ts';
import { readFile } from '../support/audit.ts';

/** Lets `startDeployment` use endpoints on this machine. */
export const LOCAL_ENDPOINTS = { WEBHOOK_ALLOW_LOCAL: 'on' };

export type Respond = (response: ServerResponse) => void;

const accept: Respond = (response) => response.writeHead(204).end();

interface Event {
  readonly id: string;
  readonly email: string;
}

export interface Receiver {
  readonly url: string;
  respond: Respond;
  /** The events that arrived at the URL, in order and with repetitions. */
  readonly received: readonly Event[];
  /** Paths of all requests. */
  readonly paths: ReadonlySet<string>;
  /** Refuses connections until `open` is called. */
  close(): Promise<void>;
  /** Listens again on the same port, and accepts everything. */
  open(): Promise<void>;
}

/** Starts a webhook endpoint whose responses a test controls. */
export async function startReceiver(respond = accept): Promise<Receiver> {
  const received: Event[] = [];
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    const email = String(readField(readField(await json(request), 'data'), 'email'));
    received.push({ id: String(request.headers['webhook-id']), email });
    paths.add(request.url ?? '');
    receiver.respond(response);
  });
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  await listen(0);
  const port = getPort(server);
  const receiver: Receiver = {
    url: `http://localhost:${port}/hooks`,
    respond,
    received,
    paths,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async open() {
      receiver.respond = accept;
      await listen(port);
    },
  };
  onTestFinished(receiver.close);
  return receiver;
}

export async function addEndpoint(admin: Admin, url: string): Promise<Response> {
  return admin.post('/webhooks', { url, format: 'json', events: ['signup.created'] });
}

/** Returns the events recorded for an endpoint, with their outcomes. */
export function readDeliveries({ url }: Receiver, file: string) {
  const rows = readFile(file, (raw) =>
    raw
      .prepare(
        `SELECT event_id, email, delivery.state, delivery.reason FROM webhook_deliveries AS delivery
        JOIN webhooks ON webhooks.id = webhook_id JOIN email_signups ON email_signups.id = signup_id WHERE url = ?`,
      )
      .all(url),
  );
  return rows.map(({ event_id, email, state, reason }) => ({
    id: String(event_id),
    email: String(email),
    state,
    reason,
  }));
}

/** Returns each event once, in an order that does not depend on the time of arrival. */
export function distinct(events: readonly Event[]): string[] {
  return [...new Set(events.map(({ id, email }) => `${email} ${id}`))].sort();
}
