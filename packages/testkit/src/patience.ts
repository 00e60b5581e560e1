import { vi } from 'vitest';

const { waitFor } = vi;

/** Vitest gives a condition a second, which anything can take on a busy machine, and has no setting for it. */
const patient: typeof waitFor = (condition, options) =>
  waitFor(condition, { timeout: 120_000, ...(typeof options === 'number' ? { timeout: options } : options) });

vi.waitFor = patient;
