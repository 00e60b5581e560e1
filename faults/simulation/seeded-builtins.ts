import crypto from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import workerThreads from 'node:worker_threads';
import { type Chance, seededChance } from '@early-access-kit/testkit/fault-runs';
import type { CheckpointThread, Order } from '../../packages/early-access-server/src/stores/sqlite/checkpoints.ts';
import { replace } from './simulated-time.ts';

/** Replaces the checkpoint thread, whose timing does not depend on the seed. SQLite then makes its own checkpoints. */
class IdleThread {
  readonly #closed: Int32Array;

  constructor(_script: URL, { workerData }: { readonly workerData: CheckpointThread }) {
    this.#closed = workerData.closed;
  }

  postMessage(order: Order): void {
    if (order === 'close') Atomics.store(this.#closed, 0, 1);
  }

  on(): void {}
  unref(): void {}
}

let bytes: Chance = seededChance(0);
let isInstalled = false;

/**
 * Makes Node's nondeterministic results depend on the seed: ids and tokens, and the order in which a file is read,
 * which is now immediate.
 */
export function seedBuiltins(seed: number): void {
  bytes = seededChance(seed);
  if (isInstalled) return;
  isInstalled = true;
  const { readSync } = fs;
  const randomBytes = (count: number) => Buffer.from(Array.from({ length: count }, () => bytes.below(256)));
  replace(crypto, 'randomBytes', randomBytes);
  replace(crypto, 'randomUUID', () => {
    const hex = randomBytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  });
  const readAtOnce = async (file: number, buffer: Uint8Array, offset: number, length: number, position: number) => ({
    bytesRead: readSync(file, buffer, offset, length, position),
  });
  replace(
    fs,
    'read',
    Object.assign(() => {}, { [promisify.custom]: readAtOnce }),
  );
  replace(workerThreads, 'Worker', IdleThread);
  syncBuiltinESMExports();
}
