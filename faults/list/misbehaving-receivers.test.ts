import { LONG, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { readMemory } from '@early-access-kit/testkit/memory';
import { HOUR_MS } from 'early-access-kit/internal';
import { expect, it, vi } from 'vitest';
import { signIn } from '../support/admin.ts';
import { signAllUp } from '../support/crowd.ts';
import { startDeployment } from '../support/deployment.ts';
import { addEndpoint, distinct, LOCAL_ENDPOINTS, type Respond, readDeliveries, startReceiver } from './receiver.ts';

/** Arguments for `serve` that put the server's clock an hour ahead of the machine's. */
const HOUR_AHEAD = [
  'env',
  `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(`
    const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...values) {
        super(...(values.length === 0 ? [now() + ${HOUR_MS}] : values));
      }
      static now() {
        return now() + ${HOUR_MS};
      }
    };`)}`,
];

const PEOPLE = rounds({ short: 10, long: 200 });
const TEN_MEGABYTES = 10_000_000;
/** The limit for the server's process. */
const MAX_MEGABYTES = 256;

const CUT_OFF = 'the connection was closed before there was a response';

/** The receivers' responses, and the expected outcome of the delivery. */
const MISBEHAVIORS: readonly [respond: Respond, outcome: { readonly state: string; readonly reason: string | null }][] =
  [
    // Takes until the 10 second limit, so the short run skips it.
    [
      () => {},
      LONG ? { state: 'queued', reason: 'no response within 10 seconds' } : { state: 'sending', reason: null },
    ],
    [({ socket }) => socket?.destroy(), { state: 'queued', reason: CUT_OFF }],
    [({ socket }) => socket?.write('HTTP/1.1 2', () => socket.destroy()), { state: 'queued', reason: CUT_OFF }],
    [
      (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
      { state: 'queued', reason: 'it responded 307, a redirect' },
    ],
    // A 2xx status is enough: the body is not read.
    [
      (response) => response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy()),
      { state: 'sent', reason: null },
    ],
    [(response) => response.end(Buffer.alloc(TEN_MEGABYTES)), { state: 'sent', reason: null }],
  ];

it(`${MISBEHAVIORS.length} misbehaving receivers hold up no signup and no other receiver, and get all events in the end`, async () => {
  const deployment = await startDeployment(undefined, LOCAL_ENDPOINTS);
  const server = await deployment.serve();
  const misbehaving = await Promise.all(MISBEHAVIORS.map(([respond]) => startReceiver(respond)));
  const other = await startReceiver();
  const admin = await signIn(deployment, server);
  for (const { url } of [...misbehaving, other]) expect((await addEndpoint(admin, url)).status).toBe(200);

  await signAllUp(server.origin, PEOPLE);
  const recorded = distinct(readDeliveries(other, deployment.file));
  expect(recorded).toHaveLength(PEOPLE);
  await vi.waitFor(() => expect(distinct(other.received)).toEqual(recorded));
  for (const [index, [, outcome]] of MISBEHAVIORS.entries()) {
    const deliveries = () => readDeliveries(misbehaving[index] ?? other, deployment.file);
    await vi.waitFor(() => expect(deliveries()).toContainEqual(expect.objectContaining(outcome)));
  }
  const { most } = readMemory(server.pid);
  expect(most).toBeLessThan(MAX_MEGABYTES);
  await server.stop();

  for (const receiver of misbehaving) {
    await receiver.close();
    await receiver.open();
  }
  await deployment.serve(HOUR_AHEAD);
  for (const receiver of misbehaving) {
    const states = () => new Set(readDeliveries(receiver, deployment.file).map(({ state }) => state));
    await vi.waitFor(() => expect(states()).toEqual(new Set(['sent'])));
    expect(distinct(receiver.received)).toEqual(distinct(readDeliveries(receiver, deployment.file)));
    expect(receiver.paths).toEqual(new Set(['/hooks']));
  }
  report('misbehaving receivers: events lost', `0 of ${MISBEHAVIORS.length * PEOPLE}`);
  report('misbehaving receivers: memory of the server at its peak', `${Math.round(most)} MB`);
});
