import { describe, expect, it } from 'vitest';
import { countStepsPerTurn } from '../../fixtures/loop-turns.ts';
import { SLICE_MS } from '../jobs/time-slices.ts';
import type { ImportedPerson } from '../ports/list-store.ts';
import { type ImportFile, readImportFile, runImport, tryImport } from './run-import.ts';

const OPTIONS = { now: Date.UTC(2026, 5, 1), declarations: {}, choices: [], dateOrder: null };

function parseFile(content: string): Promise<ImportFile> {
  return readImportFile(new Blob([content]).stream(), OPTIONS);
}

const SUBSCRIBED = {
  id: 'person-1',
  state: 'subscribed',
  unsubscribed_at: null,
  confirmed_at: Date.UTC(2026, 0, 2),
} as const;

/** A list of addresses. The call of `importPeople` with this number fails. */
function fakeList(listed: readonly string[], failingCall = 0) {
  const emails = new Set(listed);
  const calls: { people: number; welcome: boolean }[] = [];
  return {
    emails,
    calls,
    listed: async (asked: readonly string[]) =>
      new Map(asked.filter((email) => emails.has(email)).map((email) => [email, SUBSCRIBED])),
    async importPeople(people: readonly ImportedPerson[], { welcome }: { readonly welcome: boolean }) {
      calls.push({ people: people.length, welcome });
      if (calls.length === failingCall) throw new Error('the disk is full');
      return people.map(({ email }) => {
        const isNew = !emails.has(email);
        emails.add(email);
        return isNew ? 'added' : 'duplicate';
      });
    },
  };
}

const LINES = 'email\nada@example.org\nnobody\nBOB@example.org\nbob@example.org\neve@example.org\n';

describe('tryImport', () => {
  it('says what would happen with each line, and stores nothing', async () => {
    const list = fakeList(['ada@example.org']);
    const report = await tryImport(await parseFile(LINES), list);
    expect(report.counts).toEqual({ added: 2, unsubscribed: 0, 'on-list': 1, repeated: 1, 'left-out': 0, problem: 1 });
    expect(report.first.map(({ line, result }) => `${line} ${result}`)).toEqual([
      '2 on-list',
      '3 problem',
      '4 added',
      '5 repeated',
      '6 added',
    ]);
    expect(report.problems).toEqual([
      {
        ...{ line: 3, result: 'problem', person: null, problem: 'email must be a valid email address' },
        ...{ address: 'nobody', column: 'email', value: 'nobody' },
      },
    ]);
    expect([list.calls, list.emails.size]).toEqual([[], 1]);
  });

  it('lets the event loop turn between its batches', async () => {
    const file = await parseFile(`email\n${Array.from({ length: 8_000 }, (_, n) => `p${n}@example.org\n`).join('')}`);
    const list = fakeList([]);
    const { step, most } = countStepsPerTurn(SLICE_MS);
    await tryImport(file, {
      listed(asked) {
        step();
        return list.listed(asked);
      },
    });
    expect(most()).toBe(1);
  });

  it('lets the event loop turn while a file is read', async () => {
    const { step, most } = countStepsPerTurn(SLICE_MS / 4);
    const lines = Array.from({ length: 100 }, (_, n) => `p${n}@example.org\n`);
    const { people } = await readImportFile(new Blob([lines.join('')]).stream(), {
      ...OPTIONS,
      get now() {
        step();
        return OPTIONS.now;
      },
    });
    expect(people).toHaveLength(100);
    expect(most()).toBe(4);
  });

  it('counts the people to add by state and by source, the largest 20', async () => {
    const others = Array.from({ length: 30 }, (_, index) => `p${index}@example.org,source ${index},active\n`).join('');
    const csv = `email,source,status\nada@example.org,fair,active\nbob@example.org,fair,unsubscribed\n${others}`;
    const report = await tryImport(await parseFile(csv), fakeList(['p0@example.org']));
    expect(report.states).toEqual({ pending: 0, subscribed: 30, invited: 0, joined: 0, unsubscribed: 1, bounced: 0 });
    expect([report.sources.length, ...report.sources.slice(0, 2)]).toEqual([
      20,
      { source: 'fair', people: 2 },
      { source: 'source 1', people: 1 },
    ]);
  });

  it('counts the people on the list who are unsubscribed, unless they confirmed after it', async () => {
    const csv = 'email,unsubscribed_at\na@x.io,2026-01-01\nb@x.io,2026-01-03\nc@x.io,yes\nd@x.io,yes\n';
    const report = await tryImport(await parseFile(csv), fakeList(['a@x.io', 'b@x.io', 'c@x.io']));
    expect(report.counts).toEqual({ added: 1, unsubscribed: 2, 'on-list': 1, repeated: 0, 'left-out': 0, problem: 0 });
  });

  it('lists a hundred lines at most', async () => {
    const people = Array.from({ length: 700 }, (_, index) => `p${index}@example.org\n`).join('');
    const report = await tryImport(await parseFile(`email\n${people}${'nobody\n'.repeat(200)}`), fakeList([]));
    expect([report.first.length, report.problems.length]).toEqual([100, 100]);
    expect(report.counts).toEqual({
      added: 700,
      unsubscribed: 0,
      'on-list': 0,
      repeated: 0,
      'left-out': 0,
      problem: 200,
    });
  });
});

describe('runImport', () => {
  it('adds people in batches, reports its progress and ends with what became of each line', async () => {
    const people = Array.from({ length: 250 }, (_, index) => `p${index}@example.org\n`).join('');
    const list = fakeList(['p3@example.org']);
    const events = await Array.fromAsync(runImport(await parseFile(people), { store: list, welcome: true }));
    expect(events.slice(0, -1)).toEqual([
      { type: 'progress', done: 0, people: 250, added: 0 },
      { type: 'progress', done: 100, people: 250, added: 99 },
      { type: 'progress', done: 200, people: 250, added: 199 },
      { type: 'progress', done: 250, people: 250, added: 249 },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'done', report: { counts: { added: 249, 'on-list': 1 } } });
    expect(list.calls).toEqual([100, 100, 50].map((count) => ({ people: count, welcome: true })));
  });

  it('ends with the last person, also if the batches are full', async () => {
    const people = Array.from({ length: 200 }, (_, index) => `p${index}@example.org\n`).join('');
    const list = fakeList([]);
    await Array.fromAsync(runImport(await parseFile(people), { store: list, welcome: false }));
    expect(list.calls).toEqual([100, 100].map((count) => ({ people: count, welcome: false })));
  });
});
