import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { getPort } from '@early-access-kit/testkit/http-server';
import { expect, it, onTestFinished } from 'vitest';
import { createCertificate } from '../fixtures/mail-reports.ts';
import { openPostgres } from './postgres.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const TLS = {
  isServer: true,
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  cert: createCertificate(publicKey, privateKey),
};

/** A server that begins as Postgres does: the client asks for encryption, or names user and database at once. */
async function startServer(respond: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `postgres://user:secret@127.0.0.1:${getPort(server)}/list`;
}

function encrypt(socket: Socket): void {
  socket.write('S');
  new TLSSocket(socket, TLS).on('error', () => {});
}

/** As a managed database refuses a connection without encryption. */
function requireEncryption(socket: Socket): void {
  const fields = [
    'SFATAL',
    'VFATAL',
    'C28000',
    'Mno pg_hba.conf entry for host "192.0.2.1", user "user", no encryption',
  ];
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  socket.end(Buffer.concat([Buffer.from('E'), length, body]));
}

it.each([
  [
    'its certificate is not trusted',
    encrypt,
    '?sslmode=require',
    /self-signed certificate.*; add sslrootcert=ca\.pem to DATABASE_URL, .*sslmode=require&uselibpqcompat=true/,
  ],
  [
    'it has no encryption',
    (socket: Socket) => void socket.end('N'),
    '?sslmode=require',
    /; remove sslmode from DATABASE_URL/,
  ],
  ['it requires encryption', requireEncryption, '', /; add sslmode=require to DATABASE_URL$/],
])('names the setting of a database that cannot be used because %s', async (_, respond, query, message) => {
  const url = await startServer(respond);
  await expect(openPostgres(url + query, {})).rejects.toThrow(message);
  await expect(openPostgres(url + query, {})).rejects.not.toThrow('secret');
});
