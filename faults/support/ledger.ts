import type { EmailSignup, SessionStart, SessionTotals } from 'early-access-kit/core';

/** A session: the last totals sent and the last totals acknowledged. Null if only the start was sent. */
export interface Visit {
  readonly start: SessionStart;
  said: SessionTotals | null;
  acknowledged: SessionTotals | null;
}

/** What the server acknowledged to visitors. A test compares it with the database. */
export interface Ledger {
  /** Every requested signup, by address. */
  readonly asked: Map<string, EmailSignup>;
  /** Addresses whose signup was answered with 201. */
  readonly created: Set<string>;
  /** Sessions whose start was acknowledged, by id. */
  readonly visits: Map<string, Visit>;
  /** The number of acknowledgements so far. */
  promises: number;
}

export function emptyLedger(): Ledger {
  return { asked: new Map(), created: new Set(), visits: new Map(), promises: 0 };
}
