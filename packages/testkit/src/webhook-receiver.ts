import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook as Signature } from 'standardwebhooks';
import { serveHttp } from './http-server.ts';

export interface WebhookReceiver {
  readonly url: string;
  /** The status of its responses; 204 unless a test changes it. */
  status: number;
  /** Returns all received events in order, including repetitions. Throws if one is not signed with the secret. */
  events(secret: string): unknown[];
  close(): Promise<void>;
}

interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts an endpoint for webhooks on a free loopback port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const { origin, close } = await serveHttp(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    response.writeHead(receiver.status).end();
  });
  const receiver: WebhookReceiver = {
    url: `${origin}/hooks`,
    status: 204,
    events: (secret) => requests.map((request) => verified(request, secret)),
    close,
  };
  return receiver;
}

/** Returns the event of a request. The specification's own `verify` rejects requests older than five minutes. */
function verified({ headers, body }: ReceivedRequest, secret: string): unknown {
  const [id, seconds] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  const signature = new Signature(secret).sign(id, new Date(seconds * 1_000), body);
  if (headers['webhook-signature'] !== signature) throw new Error(`the event ${id} is not signed with this secret`);
  return JSON.parse(body);
}
