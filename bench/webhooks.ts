import { once } from 'node:events';
import { createServer } from 'node:http';
import { sqliteStore } from 'early-access-server/sqlite';
import { load, restFor } from './support/load.ts';
import type { Question } from './support/question.ts';
import { atMost, median, row } from './support/row.ts';
import { startServer } from './support/running-server.ts';

const CONNECTIONS = 256;

const thorough = { rounds: 5, seconds: 8 };
const quickly = { rounds: 1, seconds: 2 };

/** Sign-ups while each is also delivered to an endpoint on the same machine, beside a server without endpoints. */
export const webhooks: Question = {
  asks: 'do webhooks delay sign-ups?',
  async answer({ quick, folder, tell }) {
    const { rounds, seconds } = quick ? quickly : thorough;
    let received = 0;
    const receiver = createServer((request, response) => {
      received += 1;
      request.resume();
      response.writeHead(204).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const start = (name: string) =>
      startServer({ DATA_DIR: `${folder}/${name}`, TRUST_PROXY: '1', WEBHOOK_ALLOW_LOCAL: 'on' });
    const [without, withOne] = await Promise.all([start('without'), start('with')]);
    try {
      await addEndpoint(`${folder}/with/early-access.sqlite`, receiver.address());
      let run = 0;
      const put = (url: string, pauseMs: number) => {
        run += 1;
        return load({ url, kind: 'signup', run, connections: CONNECTIONS, seconds, pauseMs });
      };
      tell('sign-ups without a webhook, as many as possible');
      const most = await put(without.url, 0);
      const pauseMs = restFor(CONNECTIONS, most.perSecond / 2);
      const [p99Without, p99With]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        tell(`sign-ups at half load, round ${round + 1}`);
        p99Without.push((await put(without.url, pauseMs)).p99);
        p99With.push((await put(withOne.url, pauseMs)).p99);
      }
      const added = p99With.map((p99, index) => p99 - (p99Without[index] ?? p99));
      return {
        rows: [
          row({
            name: `sign-ups with a webhook, ${CONNECTIONS} connections, half load, p99`,
            unit: 'ms',
            ours: p99With,
            theirs: p99Without,
            against: 'without a webhook',
          }),
          row({
            name: 'added by a webhook to the p99 of sign-ups',
            unit: 'ms',
            ours: Math.max(0, median(added)),
            goal: atMost(1),
            note: `${received} events were delivered meanwhile, by the same process and on the same machine as the load and the receiver.`,
          }),
        ],
      };
    } finally {
      await Promise.all([without.stop(), withOne.stop()]);
      receiver.closeAllConnections();
      receiver.close();
    }
  },
};

async function addEndpoint(file: string, address: ReturnType<ReturnType<typeof createServer>['address']>) {
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const store = sqliteStore({ file });
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  await store.webhooks.add({
    url: `http://127.0.0.1:${address.port}/`,
    secret,
    format: 'json',
    events: ['signup.created'],
  });
  store.close();
}
