import { vi } from 'vitest';
import { HANGING_MS } from './hanging.ts';

const { waitFor } = vi;

/** Vitest gives a condition a second, which anything can take on a busy machine, and has no setting for it. */
const patient: typeof waitFor = (condition, options) =>
  waitFor(condition, { timeout: HANGING_MS, ...(typeof options === 'number' ? { timeout: options } : options) });

vi.waitFor = patient;
