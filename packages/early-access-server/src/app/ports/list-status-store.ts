import type { ListStatus, OpeningRequest } from '../signup/list-status.ts';

/** Whether the list accepts signups, and how many of its places are taken. */
export interface ListStatusNow {
  readonly status: ListStatus;
  /** The number of people in `PLACE_STATES`, counted up to `max_people`. 0 if `needsPeople` is false. */
  readonly people: number;
}

export interface StoredRequest extends OpeningRequest {
  /** When it was first submitted. */
  readonly created_at: number;
}

/**
 * The part of a store for opening and closing the list, and for the people who wait for it to open.
 * `Store.createSignup` calls `findClosed` in its own transaction, and stores the first `OpeningRequest` of each
 * address. `Store.erase` deletes it.
 */
export interface ListStatusStore {
  read(): Promise<ListStatusNow>;
  save(status: ListStatus): Promise<void>;
  countRequests(): Promise<number>;
  /** Oldest first, read during iteration. */
  requests(): AsyncIterable<StoredRequest>;
  /**
   * Signs up people from the oldest requests, at most `limit`, as far as the list accepts them now. Works like
   * `createSignup` with `confirm`. Each person is signed up once, under any race, and their request is deleted in the
   * same transaction. Returns how many; 0 if the list accepts nobody, or nobody is waiting.
   */
  admitRequests(limit: number): Promise<number>;
}
