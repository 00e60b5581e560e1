import packageJson from '../../../package.json' with { type: 'json' };
import type { Clock } from '../../app/ports/clock.ts';
import { describeError, type Log } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { Failure } from '../routing/failure.ts';
import type { MeasuredResponse } from '../routing/request-context.ts';

/** The metrics as text for Prometheus, and its media type. */
export type ReadMetrics = () => Promise<{ readonly text: string; readonly type: string }>;

interface Sources {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The number of times each limit was hit since the start. */
  readonly limitsHit: ReadonlyMap<string, number>;
  readonly refusals: { counts(): Readonly<Record<string, number>> };
}

interface Counted extends Sources {
  readonly requests: ReadonlyMap<string, Value>;
  readonly mails: ReadonlyMap<string, number>;
  readonly webhooks: ReadonlyMap<string, number>;
}

interface Value {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric {
  readonly type: 'Counter' | 'Gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** An absent value means unknown. */
  readonly read: () => Iterable<Value>;
}

const PREFIX = 'early_access_';
const INSTALL = 'there are no metrics: install prom-client beside early-access-server, and restart it';
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Counts the server's work and exposes it to Prometheus. Labels never contain anything a visitor chose: routes are
 * patterns, and other labels have a few fixed values. The library is loaded when the metrics are first read, so that it
 * slows down neither the start nor signups. Response times are measured from then on.
 */
export function serverMetrics(sources: Sources) {
  const requests = new Map<string, Value>();
  const [mails, webhooks] = [new Map<string, number>(), new Map<string, number>()];
  let opened: ReturnType<typeof openRegistry> | undefined;
  let observeTime: (route: string, seconds: number) => void = () => {};

  const noteOutcome = (counts: Map<string, number>) => (state: string) => {
    const outcome = state === 'queued' ? 'deferred' : state;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };
  return {
    noteResponse({ method, route, status, seconds }: MeasuredResponse): void {
      const labels = { method: method === 'POST' ? 'POST' : 'GET', route, status: `${Math.floor(status / 100)}xx` };
      const key = Object.values(labels).join(' ');
      requests.set(key, { labels, value: (requests.get(key)?.value ?? 0) + 1 });
      observeTime(route, seconds);
    },
    noteMail: noteOutcome(mails),
    noteWebhook: noteOutcome(webhooks),
    async read() {
      opened ??= openRegistry({ ...sources, requests, mails, webhooks });
      const { registry, time, update } = await opened;
      observeTime = (route, seconds) => time.observe({ route }, seconds);
      await update();
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

async function openRegistry(counted: Counted) {
  const client = await loadClient(counted.log);
  const registry = new client.Registry();
  // CPU, memory and event loop lag, under their standard names.
  client.collectDefaultMetrics({ register: registry });
  let state: StoreState | null = null;
  for (const { type, name, help, labels = [], read } of listMetrics(counted, () => state)) {
    new client[type]<string>({
      ...{ name: PREFIX + name, help, labelNames: labels, registers: [registry] },
      collect() {
        this.reset();
        // Otherwise a metric without labels would report zero instead of being absent.
        if (labels.length === 0) this.remove();
        for (const one of read()) this.inc({ ...one.labels }, one.value);
      },
    });
  }
  const time = new client.Histogram({
    name: `${PREFIX}http_response_seconds`,
    help: 'Seconds until a response of this process began, by the pattern of the route; * are pages and files.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    time,
    async update() {
      state = await readStore(counted);
    },
  };
}

async function loadClient(log: Log) {
  try {
    return await import('prom-client');
  } catch (cause) {
    log('error', 'metrics-missing', { fix: INSTALL });
    throw new Failure(503, 'unavailable', INSTALL, { cause });
  }
}

type StoreState = NonNullable<Awaited<ReturnType<typeof readStore>>>;

/** Database figures, which include changes by all processes. Null if it does not respond. */
async function readStore({ store, clock, log }: Sources) {
  try {
    await store.ping();
    const { mails, webhooks } = store;
    const [facts, pause] = [await store.facts(), await mails.pause()];
    const [mailBacklog, webhookBacklog] = [await mails.backlog(), await webhooks.backlog()];
    const [mailDueAt, webhookDueAt] = [await mails.findNextDue(), await webhooks.findNextDue()];
    const now = clock();
    const lag = (dueAt: number | null) => (dueAt === null ? 0 : Math.max(0, now - dueAt) / 1_000);
    return {
      ...{ facts, isPaused: pause !== null, mailBacklog, webhookBacklog },
      ...{ mailLag: lag(mailDueAt), webhookLag: lag(webhookDueAt) },
    };
  } catch (error) {
    log('warn', 'metrics-without-database', { reason: describeError(error) });
    return null;
  }
}

function listMetrics(counted: Counted, state: () => StoreState | null): readonly Metric[] {
  const by = (label: string, counts: Iterable<readonly [string, number]>) =>
    [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }));
  const byState = (counts: Readonly<Record<string, number>> = {}) => by('state', Object.entries(counts));
  const known = (value: number | null | undefined) => (value === null || value === undefined ? [] : [{ value }]);
  return [
    {
      ...{ type: 'Gauge', name: 'info', help: 'The version of early-access-server; always 1.', labels: ['version'] },
      read: () => [{ labels: { version: packageJson.version }, value: 1 }],
    },
    {
      ...{ type: 'Counter', name: 'http_requests_total', labels: ['method', 'route', 'status'] },
      help: 'Responses of this process by method, pattern of the route and class of the status.',
      read: () => counted.requests.values(),
    },
    {
      ...{ type: 'Counter', name: 'limits_hit_total', labels: ['limit'] },
      help: 'Requests to this process that a rate limit refused.',
      read: () => by('limit', counted.limitsHit),
    },
    {
      ...{ type: 'Counter', name: 'signups_refused_total', labels: ['reason'] },
      help: 'Signups at this process that were refused for their page or their address.',
      read: () => by('reason', Object.entries(counted.refusals.counts())),
    },
    {
      ...{ type: 'Counter', name: 'mail_attempts_total', labels: ['outcome'] },
      help: 'Attempts of this process to deliver emails.',
      read: () => by('outcome', counted.mails),
    },
    {
      ...{ type: 'Counter', name: 'webhook_attempts_total', labels: ['outcome'] },
      help: 'Attempts of this process to deliver events to endpoints.',
      read: () => by('outcome', counted.webhooks),
    },
    {
      ...{ type: 'Gauge', name: 'database_up', help: '1 if the database can be read and written, otherwise 0.' },
      read: () => known(state() === null ? 0 : 1),
    },
    {
      ...{ type: 'Gauge', name: 'database_bytes', help: 'Size of the database, if the store knows it.' },
      read: () => known(state()?.facts.database_bytes),
    },
    {
      ...{ type: 'Gauge', name: 'disk_free_bytes', help: 'Free bytes on its disk, if the store knows them.' },
      read: () => known(state()?.facts.disk_free_bytes),
    },
    {
      ...{ type: 'Gauge', name: 'last_backup_timestamp_seconds', help: 'When the last backup was completed.' },
      read: () => known(state()?.facts.last_backup_at).map(({ value }) => ({ value: value / 1_000 })),
    },
    {
      ...{ type: 'Gauge', name: 'mail_messages', help: 'Emails that are not sent, by state.', labels: ['state'] },
      read: () => byState(state()?.mailBacklog),
    },
    {
      ...{ type: 'Gauge', name: 'mail_lag_seconds', help: 'Seconds since the oldest unsent email was due.' },
      read: () => known(state()?.mailLag),
    },
    {
      ...{ type: 'Gauge', name: 'mail_paused', help: '1 while the mail server refuses our emails, otherwise 0.' },
      read: () => known(state() && Number(state()?.isPaused)),
    },
    {
      ...{ type: 'Gauge', name: 'webhook_deliveries', help: 'Events that wait or are being sent.', labels: ['state'] },
      read: () => byState(state()?.webhookBacklog),
    },
    {
      ...{ type: 'Gauge', name: 'webhook_lag_seconds', help: 'Seconds since the oldest undelivered event was due.' },
      read: () => known(state()?.webhookLag),
    },
  ];
}
