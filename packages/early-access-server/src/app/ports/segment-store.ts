import type { SavedSegment, Segment } from '../people/segment.ts';
import type { Awaitable } from './log.ts';

/** The part of a store for saved segments. `PeopleFilter` and campaign audiences contain copies of their conditions. */
export interface SegmentStore {
  /** Sorted by name. */
  list(): Awaitable<readonly SavedSegment[]>;
  /** `taken`: another segment has this name. `full`: there are `MAX_SEGMENTS`. */
  add(name: string, conditions: Segment): Promise<SavedSegment | 'taken' | 'full'>;
  rename(id: string, name: string): Promise<'renamed' | 'taken' | 'gone'>;
  /** Returns whether it existed. Campaigns are not affected, because they contain copies of its conditions. */
  remove(id: string): Promise<boolean>;
}
