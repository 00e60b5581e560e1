import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { getPort } from '@early-access-kit/testkit/http-server';

/** Forwards connections from a port to another one of this machine, unless interrupted. */
export async function startGate(target: number) {
  const sockets = new Set<Socket>();
  let interrupted = false;
  const server = createServer((incoming) => {
    if (interrupted) return void incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://localhost:${getPort(server)}`,
    interrupt() {
      interrupted = true;
      hangUp();
    },
    resume() {
      interrupted = false;
    },
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
