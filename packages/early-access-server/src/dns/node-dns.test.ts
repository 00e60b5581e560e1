import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeDns } from './node-dns.ts';

/** Flags of a response with recursion, and its answers: records of the question's name. */
const RESPONSES: Readonly<Record<string, { readonly flags: number; readonly record?: readonly number[] }>> = {
  missing: { flags: 0x81_83 },
  empty: { flags: 0x81_80 },
  broken: { flags: 0x81_82 },
  // MX 10 of the name itself, and of the root, which is the null MX.
  mail: { flags: 0x81_80, record: [0, 15, 0, 1, 0, 0, 0, 60, 0, 4, 0, 10, 0xc0, 0x0c] },
  none: { flags: 0x81_80, record: [0, 15, 0, 1, 0, 0, 0, 60, 0, 3, 0, 0, 0] },
  address: { flags: 0x81_80, record: [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1] },
};

const socket = createSocket('udp4');
let dns: ReturnType<typeof nodeDns>;

beforeAll(async () => {
  socket.on('message', (query, { address, port }) => {
    const name = query.toString('latin1', 13, 13 + query.readUInt8(12));
    const { flags, record = [] } = RESPONSES[name] ?? { flags: 0 };
    const end = query.indexOf(0, 12) + 5;
    const response = Buffer.from(query.subarray(0, end));
    response.writeUInt16BE(flags, 2);
    for (const [at, count] of [1, record.length > 0 ? 1 : 0, 0, 0].entries()) response.writeUInt16BE(count, 4 + 2 * at);
    const answer = record.length > 0 ? [0xc0, 0x0c, ...record] : [];
    socket.send(Buffer.concat([response, Buffer.from(answer)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  dns = nodeDns([`127.0.0.1:${socket.address().port}`]);
});
afterAll(() => void socket.close());

it.each([
  ['missing', 'MX', null],
  ['empty', 'MX', []],
  ['empty', 'AAAA', []],
  ['mail', 'MX', ['mail.example']],
  ['none', 'MX', ['']],
  ['address', 'A', ['192.0.2.1']],
] as const)('%s.example %s is %j', async (name, type, answers) => {
  expect(await dns.resolve(`${name}.example`, type)).toEqual(answers);
});

it('rejects if a server fails', async () => {
  await expect(dns.resolve('broken.example', 'MX')).rejects.toThrow('ESERVFAIL');
});
