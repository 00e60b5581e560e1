import type { EmailSignup, SessionStart, SessionTotals } from 'early-access-kit/core';

/** A session with the last totals sent and the last totals acknowledged. Null until totals are sent. */
export interface SessionRecord {
  readonly start: SessionStart;
  sent: SessionTotals | null;
  acknowledged: SessionTotals | null;
}

/** The signups that the server acknowledged to visitors. A test compares them with the database. */
export interface Ledger {
  /** Every requested signup, by address. */
  readonly requested: Map<string, EmailSignup>;
  /** Addresses whose signup returned 201. */
  readonly created: Set<string>;
  /** Sessions whose start was acknowledged, by id. */
  readonly sessions: Map<string, SessionRecord>;
  /** The number of acknowledgments so far. */
  acknowledgements: number;
}

export function emptyLedger(): Ledger {
  return { requested: new Map(), created: new Set(), sessions: new Map(), acknowledgements: 0 };
}
