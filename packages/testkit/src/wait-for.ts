import { vi } from 'vitest';
import { HANGING_MS } from './hanging.ts';

const { waitFor } = vi;

/** Vitest's default timeout of one second is too short on a busy machine, and it has no setting for it. */
const patient: typeof waitFor = (condition, options) =>
  waitFor(condition, { timeout: HANGING_MS, ...(typeof options === 'number' ? { timeout: options } : options) });

vi.waitFor = patient;
