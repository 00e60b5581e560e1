import { EVERYONE, type ExportedPerson } from '../people/people.ts';
import type { ImportedPerson } from '../ports/list-store.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import type { SegmentStore } from '../ports/segment-store.ts';
import type { Store } from '../ports/store.ts';

/** People of one transaction of the target. */
const BATCH = 100;

/** The part of a store that is copied. */
export interface CopySource {
  readonly people: Pick<PeopleStore, 'all'>;
  readonly segments: Pick<SegmentStore, 'list'>;
}

export interface CopyProgress {
  /** People read from the source so far. */
  readonly people: number;
  /** How many of them the target did not have. */
  readonly added: number;
  /** How many were there already, in another state, which stays. */
  readonly different: number;
}

/**
 * Copies the list and the saved segments of one store to another, of any kind: what exports carry. Nobody is sent an
 * email. People whom the target has are not changed, except by an opt-out, so a copy that was interrupted can be
 * started again.
 */
export async function* copyList(source: CopySource, target: Store, batch = BATCH): AsyncGenerator<CopyProgress> {
  for (const { name, conditions } of await source.segments.list()) await target.segments.add(name, conditions);
  let progress: CopyProgress = { people: 0, added: 0, different: 0 };
  for await (const people of inBatches(source.people.all(EVERYONE), batch)) {
    const results = await target.list.importPeople(people.map(toImported), { welcome: false });
    const listed = await target.people.listed(people.map(({ email }) => email));
    progress = {
      people: progress.people + people.length,
      added: progress.added + results.filter((result) => result === 'added').length,
      different: progress.different + people.filter(({ email, state }) => listed.get(email)?.state !== state).length,
    };
    yield progress;
  }
}

function toImported({ id, mail, resends, referrals, import_id, ...person }: ExportedPerson): ImportedPerson {
  return { ...person, mail_state: mail?.state ?? null };
}

async function* inBatches(people: AsyncIterable<ExportedPerson>, size: number) {
  let batch: ExportedPerson[] = [];
  for await (const person of people) {
    batch.push(person);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
