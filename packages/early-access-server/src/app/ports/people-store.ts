import type { ListedPerson } from '../lifecycle/states.ts';
import type {
  ExportedPerson,
  PeopleCount,
  PeopleFilter,
  PeoplePage,
  PeopleQuery,
  PersonRecord,
} from '../people/people.ts';

/** The part of a store that lists people. */
export interface PeopleStore {
  /** A page by cursor: people who sign up or are erased meanwhile make no one else appear twice or not at all. */
  list(query: PeopleQuery): Promise<PeoplePage>;
  /** Null if there is no such person, or no longer. */
  find(id: string): Promise<PersonRecord | null>;
  /** Everyone the filter matches, oldest first, read while you iterate, in constant memory. */
  all(filter: PeopleFilter): AsyncIterable<ExportedPerson>;
  /**
   * Counts among the newest people only, if the database has no index for the filter and reading everyone would cost
   * too much.
   */
  count(filter: PeopleFilter): Promise<PeopleCount>;
  /** The distinct `source`s, at most `MAX_SOURCES`. */
  sources(): Promise<readonly string[]>;
  /** The labels in use, sorted; of at most `MAX_LABEL_SETS` different combinations. */
  labels(): Promise<readonly string[]>;
  /** Whether anyone on the list has values of the host's own fields. */
  haveFields(): Promise<boolean>;
  /**
   * The people on the list, in any state, who have one of these normalized addresses or the mailbox of one, by their
   * own addresses. At most `MAX_BULK` are asked for.
   */
  listed(emails: readonly string[]): Promise<ReadonlyMap<string, ListedPerson>>;
}
