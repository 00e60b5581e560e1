import { cpSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { WebhookRequest, WebhookTransport } from '../app/webhooks/webhook-request.ts';
import { readValue } from '../fixtures/read-back.ts';
import { createEarlyAccess, type EarlyAccess } from '../http/early-access.ts';
import type { Email } from '../mail/compose.ts';
import type { DeliveryResult, MailTransport } from '../mail/transport.ts';
import { type SqliteStore, sqliteStore } from '../stores/sqlite/sqlite-store.ts';

/** A whole number from 0 to below `end`. Every decision of a history is drawn from one seed. */
export type Random = (end: number) => number;

/** One process: the application over its own connection to the file. */
export interface Process {
  readonly store: SqliteStore;
  readonly app: EarlyAccess;
}

/** What a simulated mail server or receiver has done. */
interface Delivered<T> {
  readonly what: T;
  /** False if it was refused: the recipient never saw it. */
  readonly accepted: boolean;
}

/** The machine and everything around it. */
export interface World {
  readonly clock: { now: number };
  readonly mails: Delivered<Email>[];
  readonly posts: Delivered<WebhookRequest>[];
  /** While true, the mail server and receivers accept everything at once. */
  isCalm: boolean;
  /** Grows with each crash. What was requested in an earlier life is not acknowledged to anyone. */
  readonly life: number;
  processes(): readonly Process[];
  readonly file: string;
  /** A connection that reads the file directly. */
  readonly raw: DatabaseSync;
  /**
   * All processes end at once, as if the power failed: after `during` has begun, what was not acknowledged by then may or may not be on
   * disk, and the last write may be torn. Then they start again.
   */
  crash(during: () => void): Promise<void>;
  /** One process ends, is closed properly and starts again. */
  restart(index: number): Promise<void>;
  close(): Promise<void>;
}

const PROCESSES = 2;
/** A folder in memory, where an fsync costs nothing: a crash is simulated by copying, not by losing what is not on disk. */
const MEMORY = '/dev/shm';
const ADMIN = 'admin@example.com';
export const LEASE_MS = 300_000;

export function createWorld(random: Random, { confirm }: { readonly confirm: boolean }): World {
  const root = mkdtempSync(path.join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'early-access-simulation-'));
  const clock = { now: Date.UTC(2026, 0, 5) };
  const mails: Delivered<Email>[] = [];
  const posts: Delivered<WebhookRequest>[] = [];
  let life = 0;
  let processes: Process[] = [];
  let raw: DatabaseSync;
  const file = () => path.join(root, String(life), 'early-access.sqlite');
  const wal = () => `${file()}-wal`;

  const world = {
    clock,
    mails,
    posts,
    isCalm: false,
    processes: () => processes,
    get life() {
      return life;
    },
    get file() {
      return file();
    },
    get raw() {
      return raw;
    },
    async crash(during: () => void) {
      const acknowledged = sizeOf(wal());
      const [from, dead] = [file(), processes];
      during();
      // From here on nothing that the dead processes do reaches anyone.
      life += 1;
      for (let turns = random(4); turns > 0; turns -= 1) await new Promise(setImmediate);
      cpSync(path.dirname(from), path.dirname(file()), { recursive: true });
      const written = sizeOf(wal()) - acknowledged;
      if (written > 0 && acknowledged > 0) truncateSync(wal(), acknowledged + random(written + 1));
      rmSync(`${file()}-shm`, { force: true });
      await Promise.all(dead.map(end));
      raw.close();
      startAll();
    },
    async restart(index: number) {
      const old = processes[index];
      if (old === undefined) return;
      await end(old);
      processes = processes.with(index, start());
    },
    async close() {
      raw.close();
      await Promise.all(processes.map(end));
      rmSync(root, { recursive: true, force: true });
    },
  } satisfies World;

  function startAll(): void {
    processes = Array.from({ length: PROCESSES }, start);
    raw = new DatabaseSync(file(), { readOnly: true });
    const integrity = readValue(raw, 'PRAGMA integrity_check');
    if (integrity !== 'ok') throw new Error(`the file is damaged: ${integrity}`);
  }

  async function end({ app, store }: Process): Promise<void> {
    await app.stop(0);
    store.close();
  }

  function start(): Process {
    const born = life;
    const store = sqliteStore({
      file: file(),
      clock: () => clock.now,
      mailsPerHour: 10_000,
      leaseMs: LEASE_MS,
      confirm,
    });
    const isDead = () => life !== born;
    const app = createEarlyAccess({
      store,
      clock: () => clock.now,
      adminEmail: ADMIN,
      publicUrl: new URL('https://early.example'),
      invites: { url: new URL('https://app.example/join'), key: 'k'.repeat(32) },
      mail: { transport: simulatedMail(isDead), from: 'hello@example.com' },
      webhooks: { transport: simulatedReceivers(isDead) },
      rateLimiter: { take: async () => {}, giveBack: async () => {} },
    });
    return { store, app };
  }

  /** Accepts, refuses, or accepts and loses its response. */
  function simulatedMail(isDead: () => boolean): MailTransport {
    return {
      async deliver(email): Promise<DeliveryResult> {
        if (isDead()) return { outcome: 'unknown', reason: 'the process has ended' };
        const fate = world.isCalm ? 9 : random(10);
        const accepted = fate > 3 || fate === 2;
        mails.push({ what: email, accepted });
        if (fate === 0) return { outcome: 'refused', permanent: true, bounced: true, reason: '550' };
        if (fate === 1 || fate === 3) return { outcome: 'refused', permanent: false, reason: '451' };
        return accepted && fate === 2 ? { outcome: 'unknown', reason: 'timeout' } : { outcome: 'sent' };
      },
      async close() {},
    };
  }

  /** Accept, fail, or accept and lose their response. */
  function simulatedReceivers(isDead: () => boolean): WebhookTransport {
    return {
      async post(request) {
        if (isDead()) return { delivered: false, reason: 'the process has ended' };
        const fate = world.isCalm ? 9 : random(6);
        posts.push({ what: request, accepted: fate !== 0 });
        return fate < 2 ? { delivered: false, reason: 'timeout' } : { delivered: true, status: 200 };
      },
      close() {},
    };
  }

  startAll();
  return world;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
