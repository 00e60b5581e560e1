import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '@early-access-kit/testkit/http-server';

/** An endpoint on this machine that accepts every webhook. */
export async function receiveWebhooks(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(listener)}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
