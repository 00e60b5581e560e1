import type { ExportedPerson, PeopleFilter, PeoplePage, PeopleQuery, PersonRecord } from '../admin/people.ts';
import type { ListedPerson } from '../list/states.ts';

/** The part of a store that lists people. */
export interface PeopleStore {
  /** A page by cursor: people who sign up or are erased meanwhile make no one else appear twice or not at all. */
  list(query: PeopleQuery): Promise<PeoplePage>;
  /** Null if there is no such person, or no longer. */
  find(id: string): Promise<PersonRecord | null>;
  /** Everyone the filter matches, oldest first, read while you iterate, in constant memory. */
  all(filter: PeopleFilter): AsyncIterable<ExportedPerson>;
  count(filter: PeopleFilter): Promise<number>;
  /** The distinct `source`s, at most `MAX_SOURCES`. */
  sources(): Promise<readonly string[]>;
  /** Whether anyone on the list has values of the host's own fields. */
  haveFields(): Promise<boolean>;
  /**
   * The people on the list, in any state, who have one of these normalized addresses or the mailbox of one, by their own addresses. At most
   * `MAX_BULK` are asked for.
   */
  listed(emails: readonly string[]): Promise<ReadonlyMap<string, ListedPerson>>;
}
