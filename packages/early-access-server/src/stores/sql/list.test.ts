import { expect, it } from 'vitest';
import { listStore } from './list.ts';
import { finishedStep, type Rows, type Statement, type Steps, sql } from './statement.ts';

const NO_ROWS: Rows = Object.assign([], { count: 0 });

/** A database without rows that records the first text of each statement. */
function recordingDatabase() {
  const statements: string[] = [];
  async function run<T>(work: () => Steps<T>): Promise<T> {
    const steps = work()[Symbol.iterator]();
    for (let step = steps.next(NO_ROWS); ; step = steps.next(NO_ROWS)) {
      if (step.done) return step.value;
      statements.push(firstWords(step.value));
    }
  }
  const batch = () => async () => {
    throw new Error('it is not called');
  };
  return { statements, query: async () => NO_ROWS, read: run, write: run, claim: run, batch };
}

const firstWords = ({ texts: [text = ''] }: Statement) =>
  text
    .trim()
    .split(/[\s(]+/, 3)
    .join(' ');

it('an import of people without an email writes no message', async () => {
  const database = recordingDatabase();
  const search = { hasPart: () => sql``, narrow: () => sql`` };
  const person = { id: 1, person_id: 'p' };
  const list = listStore(database, {
    clock: () => 1,
    search,
    addSignups: (added) => finishedStep(added.map(() => person)),
  });
  const ada = { email: 'ada@example.org', source: 'import', created_at: 1, state: 'subscribed' } as const;
  expect(await list.importPeople([ada], { welcome: false })).toEqual(['added']);
  expect(database.statements.filter((statement) => statement.includes('@mails'))).toEqual([]);
  await list.importPeople([ada], { welcome: true });
  expect(database.statements.at(-1)).toBe('INSERT INTO @mails');
});
