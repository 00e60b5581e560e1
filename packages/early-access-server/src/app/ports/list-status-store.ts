import type { ListStatus, OpeningRequest } from '../signup/list-status.ts';

/** Whether the list accepts signups, and how many people take its places. */
export interface ListStatusNow {
  readonly status: ListStatus;
  /** Those in `PLACE_STATES`, up to `max_people`. 0 if `needsPeople` says that no one has to count them. */
  readonly people: number;
}

export interface StoredRequest extends OpeningRequest {
  /** When it was entered first. */
  readonly created_at: number;
}

/**
 * The part of a store that keeps whether the list accepts signups, and who waits for it to open. `Store.createSignup`
 * decides by it, with `findClosed`, inside its own transaction, and keeps one `OpeningRequest` per address there, the
 * first. `Store.erase` erases it.
 */
export interface ListStatusStore {
  read(): Promise<ListStatusNow>;
  save(status: ListStatus): Promise<void>;
  countRequests(): Promise<number>;
  /** The oldest first, read while you iterate. */
  requests(): AsyncIterable<StoredRequest>;
  /**
   * Signs up the people of the oldest requests that the list accepts now, as `createSignup` with `confirm`, at most
   * `limit`. Each is signed up once, under any race, and their request is deleted with it. Returns how many; 0 if the
   * list accepts nobody, or no one waits.
   */
  admitRequests(limit: number): Promise<number>;
}
