import { EVERYONE, type ExportedPerson } from '../people/people.ts';
import type { ImportedPerson } from '../ports/list-store.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import type { SegmentStore } from '../ports/segment-store.ts';
import type { Store } from '../ports/store.ts';

/** People per transaction on the target. */
const BATCH = 100;

/** The methods of a store that copying reads from. */
export interface CopySource {
  readonly people: Pick<PeopleStore, 'all'>;
  readonly segments: Pick<SegmentStore, 'list'>;
}

export interface CopyProgress {
  /** People read from the source so far. */
  readonly people: number;
  /** People added to the target. */
  readonly added: number;
  /** People already on the target in another state, which is not changed. */
  readonly different: number;
}

/**
 * Copies the list and saved segments (everything that exports contain) from one store to another of any kind. Sends no
 * email. People already on the target are not changed, except that opt-outs are applied, so an interrupted copy can be
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
