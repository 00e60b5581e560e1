import type { Notice } from '../mail/notice.ts';
import type { AdminSession } from './admin-store.ts';
import type { Awaitable } from './log.ts';

/** A passkey of someone who uses the dashboard. Only public data. Times are epoch milliseconds. */
export interface Passkey {
  /** Names the passkey in lists. */
  readonly id: string;
  /** Base64url, as the browser names it. */
  readonly credential_id: string;
  /** Its owner's normalised address. */
  readonly email: string;
  readonly name: string;
  /** Base64url. */
  readonly public_key: string;
  readonly counter: number;
  readonly created_at: number;
  /** Null: never. */
  readonly last_used_at: number | null;
}

/** The part of a store that keeps passkeys. */
export interface PasskeyStore {
  /** Those of an address, in the order in which they were added. */
  list(email: string): Awaitable<readonly Passkey[]>;
  find(credentialId: string): Awaitable<Passkey | null>;
  /**
   * Stores it, and queues the notice to its owner in the same transaction: nobody gets a new way to sign in unnoticed.
   * Null: this passkey is stored already, whoever it belongs to.
   */
  add(passkey: Omit<Passkey, 'id' | 'created_at' | 'last_used_at'>, notice: Notice | null): Promise<Passkey | null>;
  /** Returns whether the address has it. */
  rename(email: string, id: string, name: string): Promise<boolean>;
  /** Deletes it, and nothing else. Returns whether the address had it. */
  remove(email: string, id: string): Promise<boolean>;
  /**
   * Stores the counter and opens a session of its owner, in one transaction. Null if the passkey was removed, or the
   * counter is not valid by `isCounterValid` (`passkeys.ts`).
   */
  signIn(
    credentialId: string,
    counter: number,
    session: Pick<AdminSession, 'id' | 'device'> & { readonly hash: string },
  ): Promise<AdminSession | null>;
}
