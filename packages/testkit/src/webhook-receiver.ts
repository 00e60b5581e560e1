import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook as Signature } from 'standardwebhooks';
import { serveHttp } from './http-server.ts';

export interface WebhookReceiver {
  readonly url: string;
  /** The status of its responses; 204 unless a test changes it. */
  status: number;
  /** The events that arrived, in order, each as often as it was sent. Throws if one is not signed with the secret. */
  events(secret: string): unknown[];
  close(): Promise<void>;
}

/** Starts an endpoint for webhooks on a free loopback port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const { origin, close } = await serveHttp(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    response.writeHead(receiver.status).end();
  });
  const receiver: WebhookReceiver = {
    url: `${origin}/hooks`,
    status: 204,
    events: (secret) =>
      requests.map(({ headers, body }) => {
        const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
        return new Signature(secret).verify(
          body,
          Object.fromEntries(names.map((name) => [name, String(headers[name])])),
        );
      }),
    close,
  };
  return receiver;
}
