import { once } from 'node:events';
import { createServer, globalAgent, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { getPort } from '@early-access-kit/testkit/http-server';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { Webhook as Signature } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { webhookRequest } from '../app/webhooks/webhook-request.ts';
import { httpDelivery } from './http-delivery.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const LOCALHOST = [{ address: '127.0.0.1', family: 4 }];
const PUBLIC = [{ address: '93.184.215.14', family: 4 }];

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return getPort(server);
}

async function receiver(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  onTestFinished(() => server.closeAllConnections());
  return `http://hooks.example.com:${await listening(server)}/list`;
}

const EVENT = { id: 'event-1', type: 'signup.created', at: 1_700_000_000_000, person: '1-abcdefgh' } as const;
const createRequest = (url: string) => webhookRequest({ url, secret: SECRET, format: 'json' }, EVENT, null, Date.now());

const local = (timeoutMs = 5_000) => httpDelivery({ allowLocal: true, timeoutMs, resolve: async () => LOCALHOST });

describe('httpDelivery', () => {
  it('posts a signed event that the receiver can verify', async () => {
    const received = vi.fn();
    const url = await receiver(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      received(request.method, request.url, new Signature(SECRET).verify(body, { ...readHeaders(request.headers) }));
      response.writeHead(204).end();
    });
    expect(await local().post(createRequest(url))).toEqual({ delivered: true, status: 204 });
    const timestamp = new Date(EVENT.at).toISOString();
    const payload = { type: 'signup.created', timestamp, data: { id: EVENT.person } };
    expect(received).toHaveBeenCalledExactlyOnceWith('POST', '/list', payload);
  });

  it('posts nothing to a server whose certificate is not trusted', async () => {
    const server = await startMailServer({ secure: true });
    onTestFinished(() => server.close());
    const result = await local().post(createRequest(`https://hooks.example.com:${new URL(server.url).port}/`));
    expect(result).toEqual({ delivered: false, reason: expect.stringMatching(/certificate|CERT/) });
  });

  it('does not use the agent of the process, which may be one of a proxy', async () => {
    const shared = vi.spyOn(globalAgent, 'createConnection');
    onTestFinished(() => shared.mockRestore());
    const url = await receiver((_, response) => response.writeHead(204).end());
    expect(await local().post(createRequest(url))).toEqual({ delivered: true, status: 204 });
    expect(shared).not.toHaveBeenCalled();
  });

  it('does not count another status as delivered', async () => {
    const url = await receiver((_, response) => response.writeHead(500).end());
    expect(await local().post(createRequest(url))).toEqual({ delivered: false, reason: 'it responded 500' });
  });

  it('returns the time that the receiver asks for', async () => {
    const url = await receiver((_, response) => response.writeHead(429, { 'Retry-After': '120' }).end());
    const reason = 'it responded 429';
    expect(await local().post(createRequest(url))).toEqual({ delivered: false, reason, retryAfter: '120' });
  });

  it('follows no redirect', async () => {
    const redirected = vi.fn();
    const url = await receiver((request, response) => {
      if (request.url === '/elsewhere') redirected();
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await local().post(createRequest(url))).toEqual({
      delivered: false,
      reason: 'it responded 307, a redirect',
    });
    expect(redirected).not.toHaveBeenCalled();
  });

  it('gives up on a receiver that does not respond in time', async () => {
    const url = await receiver(() => {});
    expect(await local(100).post(createRequest(url))).toEqual({
      delivered: false,
      reason: 'no response within 0.1 seconds',
    });
  });

  it('gives up on a receiver that sends its headers slowly', async () => {
    const drip = (socket: Socket) => {
      socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-slow: 1\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    };
    const port = await listening(createTcpServer(drip));
    const result = await local(200).post(createRequest(`http://hooks.example.com:${port}/`));
    expect(result).toEqual({ delivered: false, reason: 'no response within 0.2 seconds' });
  });

  it('gives up on a name that is looked up slowly', async () => {
    const slow = httpDelivery({ timeoutMs: 50, resolve: () => new Promise(() => {}) });
    expect(await slow.post(createRequest('https://hooks.example.com/'))).toMatchObject({ delivered: false });
  });

  it('tells of a connection that is closed before the response', async () => {
    const port = await listening(createTcpServer((socket) => socket.once('data', () => socket.destroy())));
    const result = await local().post(createRequest(`http://hooks.example.com:${port}/`));
    expect(result).toEqual({ delivered: false, reason: 'the connection was closed before there was a response' });
  });

  it('takes the status of a response whose body is cut off', async () => {
    const url = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('some of it', () => response.destroy());
    });
    expect(await local().post(createRequest(url))).toEqual({ delivered: true, status: 200 });
  });

  it('reads nothing of a body of 10 MB', async () => {
    const closed = Promise.withResolvers<number>();
    const url = await receiver((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536);
      let sent = 0;
      const write = () => {
        while (sent < 10_000_000 && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', write).on('close', () => closed.resolve(sent));
      write();
    });
    expect(await local().post(createRequest(url))).toEqual({ delivered: true, status: 200 });
    // The limit allows for the buffers of the connection.
    expect(await closed.promise).toBeLessThan(8_000_000);
  });

  it('cuts off what is in progress when it is closed', async () => {
    const arrived = Promise.withResolvers<void>();
    const url = await receiver(() => arrived.resolve());
    const delivery = local();
    const posted = delivery.post(createRequest(url));
    await arrived.promise;
    delivery.close();
    expect(await posted).toEqual({ delivered: false, reason: 'the server was stopped' });
  });
});

describe('httpDelivery and addresses that are not public', () => {
  const reached = vi.fn();
  const reason = expect.stringContaining('leads to an address that is not public');

  async function portOfLocalReceiver(): Promise<number> {
    reached.mockClear();
    const server = createTcpServer((socket) => {
      reached();
      socket.destroy();
    });
    return listening(server);
  }

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a private address', ['10.1.2.3']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['an IPv4 address in an IPv6 one', ['::ffff:127.0.0.1']],
    ['one private address among public ones', ['93.184.215.14', '192.168.0.1']],
    ['no address', []],
  ])('refuses a name that resolves to %s', async (_, addresses) => {
    const port = await portOfLocalReceiver();
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const url = `https://hooks.example.com:${port}/`;
    expect(await httpDelivery({ resolve }).post(createRequest(url))).toEqual({ delivered: false, reason });
    expect(reached).not.toHaveBeenCalled();
  });

  it.each(['127.0.0.1', '[::1]', '0x7f.1', '2130706433', 'localhost'])('refuses the host %s', async (host) => {
    const port = await portOfLocalReceiver();
    expect(await httpDelivery().post(createRequest(`https://${host}:${port}/`))).toEqual({ delivered: false, reason });
    expect(reached).not.toHaveBeenCalled();
  });

  it('resolves a name once, so that a second answer does not matter', async () => {
    const port = await portOfLocalReceiver();
    const resolve = vi.fn().mockResolvedValueOnce(PUBLIC).mockResolvedValue(LOCALHOST);
    const delivery = httpDelivery({ resolve, timeoutMs: 300 });
    expect(await delivery.post(createRequest(`https://rebinding.example.com:${port}/`))).toMatchObject({
      delivered: false,
    });
    expect(resolve).toHaveBeenCalledOnce();
    expect(reached).not.toHaveBeenCalled();
  });

  it('needs https', async () => {
    const result = await httpDelivery({ resolve: async () => PUBLIC }).post(createRequest('http://hooks.example.com/'));
    expect(result).toEqual({ delivered: false, reason: 'its URL must begin with https://' });
  });
});

function readHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
