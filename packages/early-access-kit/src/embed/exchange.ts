import type { AdminPart } from './elements.tsx';
import type { lent } from './lent.ts';

/** Where the overlay's script finds that, and leaves what it brings. */
export interface Exchange {
  readonly lent: typeof lent;
  admin?: AdminPart;
}

export const EXCHANGE: unique symbol = Symbol.for('early-access-kit.embed');

export type Host = Window & { [EXCHANGE]?: Exchange };
