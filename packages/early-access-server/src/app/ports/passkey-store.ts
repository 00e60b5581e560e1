import type { Notice } from '../mail/notice.ts';
import type { AdminSession } from './admin-store.ts';
import type { Awaitable } from './log.ts';

/** A passkey of a dashboard user. Contains only public data. Times are epoch milliseconds. */
export interface Passkey {
  /** The id used in lists. */
  readonly id: string;
  /** Base64url, as provided by the browser. */
  readonly credential_id: string;
  /** The owner's normalized address. */
  readonly email: string;
  readonly name: string;
  /** Base64url. */
  readonly public_key: string;
  readonly counter: number;
  readonly created_at: number;
  /** Null: never. */
  readonly last_used_at: number | null;
}

/** The part of a store for passkeys. */
export interface PasskeyStore {
  /** The passkeys of an address, in the order in which they were added. */
  list(email: string): Awaitable<readonly Passkey[]>;
  find(credentialId: string): Awaitable<Passkey | null>;
  /**
   * Stores the passkey and queues the notice to its owner in the same transaction, so that nobody can add a way to sign
   * in unnoticed. Null: this passkey is already stored, for this or another owner.
   */
  add(passkey: Omit<Passkey, 'id' | 'created_at' | 'last_used_at'>, notice: Notice | null): Promise<Passkey | null>;
  /** Returns whether the address has the passkey. */
  rename(email: string, id: string, name: string): Promise<boolean>;
  /** Deletes the passkey only. Returns whether the address had it. */
  remove(email: string, id: string): Promise<boolean>;
  /**
   * Stores the counter and opens a session for the owner, in one transaction. Null if the passkey was removed, or if
   * `isCounterValid` (`passkeys.ts`) rejects the counter.
   */
  signIn(
    credentialId: string,
    counter: number,
    session: Pick<AdminSession, 'id' | 'device'> & { readonly hash: string },
  ): Promise<AdminSession | null>;
}
