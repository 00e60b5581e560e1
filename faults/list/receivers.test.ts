import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { HOUR_MS } from 'early-access-kit/core';
import type { WebhooksResponse } from 'early-access-server/admin-api';
import { describe, expect, it, vi } from 'vitest';
import { signIn } from '../support/admin.ts';
import { readFile } from '../support/audit.ts';
import { signAllUp } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { movedClock } from '../support/moved-clock.ts';
import { addEndpoint, distinct, LOCAL_ENDPOINTS, type Receiver, readDeliveries, startReceiver } from './receiver.ts';

const PEOPLE = rounds({ short: 10, long: 200 });
const OUTAGES = rounds({ short: 1, long: 10 });

/** A server with one endpoint, whose receiver is down. */
async function withReceiverDown() {
  const [deployment, receiver] = [await startDeployment(undefined, LOCAL_ENDPOINTS), await startReceiver()];
  const server = await deployment.serve();
  expect((await addEndpoint(await signIn(deployment, server), receiver.url)).status).toBe(200);
  await receiver.close();
  return { deployment, receiver, server };
}

const failed = ({ file }: Deployment, times: number) =>
  vi.waitFor(() => {
    const failures = readFile(file, (raw) => raw.prepare('SELECT failures FROM webhooks').get());
    expect(failures).toEqual({ failures: times });
  });

const collectEmails = ({ received }: Receiver) => new Set(received.map(({ email }) => email));

describe('a receiver that is down', () => {
  it(`gets all events once it is back, with the ids with which they were recorded; ${OUTAGES} outages`, async () => {
    const { deployment, receiver, ...started } = await withReceiverDown();
    let { server } = started;
    for (let outage = 1; outage <= OUTAGES; outage += 1) {
      await signAllUp(server.origin, PEOPLE);
      await failed(deployment, 1);
      await server.stop();
      await receiver.open();
      server = await deployment.serve(movedClock(outage * HOUR_MS));
      const recorded = distinct(readDeliveries(receiver, deployment.file));
      expect(recorded).toHaveLength(outage * PEOPLE);
      await vi.waitFor(() => expect(distinct(receiver.received)).toEqual(recorded));
      await failed(deployment, 0);
      await receiver.close();
    }
    report('receivers: events lost in outages', `0 of ${OUTAGES * PEOPLE}, ${OUTAGES} outages`);
  });

  it('for a day is disabled with one email to the admin, and gets the events of the last day once it is on again', async () => {
    const { deployment, receiver, ...started } = await withReceiverDown();
    let { server } = started;
    const notices = () =>
      deployment.mailbox.mailsTo('admin@example.com').filter(({ source }) => source.includes('a webhook was disabled'));

    await signAllUp(server.origin, PEOPLE);
    await failed(deployment, 1);
    await server.stop();
    server = await deployment.serve(movedClock(12 * HOUR_MS));
    const lastDay = await signAllUp(server.origin, PEOPLE);
    await failed(deployment, 2);
    expect(notices()).toEqual([]);
    await server.stop();
    server = await deployment.serve(movedClock(25 * HOUR_MS));
    await vi.waitFor(() => expect(notices()).toHaveLength(1));
    lastDay.push(...(await signAllUp(server.origin, PEOPLE)));

    await receiver.open();
    const admin = await signIn(deployment, server);
    const { webhooks }: WebhooksResponse = await (await admin.get('/webhooks')).json();
    expect(webhooks).toMatchObject([{ disabled_at: expect.any(Number) }]);
    expect((await admin.post(`/webhooks/${webhooks[0]?.id}`, { enabled: true })).status).toBe(204);
    await vi.waitFor(() => expect(collectEmails(receiver)).toEqual(new Set(lastDay)));
    expect(notices()).toHaveLength(1);
    report('receivers: emails about one that was down for a day', notices().length);
  });
});
