import type { EmailSignup, SessionStart, SessionTotals } from 'early-access-kit/core';

/** A visit: what was said about it, and what of that was acknowledged. Null where only its start was. */
export interface Visit {
  readonly start: SessionStart;
  said: SessionTotals | null;
  acknowledged: SessionTotals | null;
}

/** What visitors were told, to be held against what the server has kept. */
export interface Ledger {
  /** Every sign-up that was asked for, by its address. */
  readonly asked: Map<string, EmailSignup>;
  /** Addresses that were told "created". */
  readonly created: Set<string>;
  /** Visits whose start was acknowledged, by id. */
  readonly visits: Map<string, Visit>;
  /** Answers so far that promise something. */
  promises: number;
}

export function emptyLedger(): Ledger {
  return { asked: new Map(), created: new Set(), visits: new Map(), promises: 0 };
}
