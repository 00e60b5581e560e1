import type { AdminPart } from './elements.tsx';
import type { lent } from './lent.ts';

/** Shares functions with the overlay's script and receives its panel. */
export interface Exchange {
  readonly lent: typeof lent;
  admin?: AdminPart;
}

export const EXCHANGE: unique symbol = Symbol.for('early-access-kit.embed');

export type Host = Window & { [EXCHANGE]?: Exchange };
