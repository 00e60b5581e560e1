import type { ListedPerson } from '../lifecycle/states.ts';
import type {
  ExportedPerson,
  PeopleCount,
  PeopleFilter,
  PeoplePage,
  PeopleQuery,
  PersonRecord,
} from '../people/people.ts';

/** The part of a store for reading the list. */
export interface PeopleStore {
  /** Returns a page by cursor. Signups and erasures in the meantime cause no other people to be repeated or skipped. */
  list(query: PeopleQuery): Promise<PeoplePage>;
  /** Null if there is no such person, or they were erased. */
  find(id: string): Promise<PersonRecord | null>;
  /** Everyone who matches the filter, oldest first, read during iteration with constant memory. */
  all(filter: PeopleFilter): AsyncIterable<ExportedPerson>;
  /**
   * Only counts among the newest people if the database has no index for the filter and reading everyone would be too
   * expensive.
   */
  count(filter: PeopleFilter): Promise<PeopleCount>;
  /** The distinct `source`s, at most `MAX_SOURCES`. */
  sources(): Promise<readonly string[]>;
  /** The labels in use, sorted. Reads at most `MAX_LABEL_SETS` distinct combinations. */
  labels(): Promise<readonly string[]>;
  /** Returns whether anyone on the list has values for the host's own fields. */
  haveFields(): Promise<boolean>;
  /**
   * The people on the list, in any state, who have one of these normalized addresses or the same mailbox. Keyed by
   * their own addresses. Called with at most `MAX_BULK` addresses.
   */
  listed(emails: readonly string[]): Promise<ReadonlyMap<string, ListedPerson>>;
}
