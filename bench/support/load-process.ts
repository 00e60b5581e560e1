/** A process of its own that puts load on a server: `node load-process.ts '<LoadPlan as JSON>'`. Prints a `LoadResult`. */
import autocannon from 'autocannon';
import type { LoadPlan, LoadResult } from './load.ts';
import { requestMaker } from './requests.ts';

const plan: LoadPlan = JSON.parse(process.argv[2] ?? '');
const make = requestMaker(plan);

const result = await autocannon({
  url: plan.url,
  connections: plan.connections,
  duration: plan.seconds,
  timeout: 30,
  ...(plan.perSecond !== undefined && { overallRate: plan.perSecond }),
  requests: [{ method: 'POST', setupRequest: (request) => Object.assign(request, make()) }],
});

const { user, system } = process.cpuUsage();
const loaded: LoadResult = {
  answered: result['2xx'],
  refused: result.non2xx,
  failed: result.errors,
  perSecond: result['2xx'] / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  p999: result.latency.p99_9,
  processorMs: (user + system) / 1_000,
};
process.stdout.write(JSON.stringify(loaded));
