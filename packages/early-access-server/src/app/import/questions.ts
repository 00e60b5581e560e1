import type { ImportColumn } from './columns.ts';
import type { ConsentCell } from './consent-cells.ts';
import type { ValueQuestion } from './value-choices.ts';

const MAX_LISTED_VALUES = 50;
const MAX_LISTED_COLUMNS = 50;
const MAX_NAMED_COLUMNS = 5;

type ListedValue = ValueQuestion['values'][number];

/** Counts the values about consent and determines which ones the admin has to decide. */
export function questionLog() {
  const columns = new Map<number, Map<string, ListedValue>>();
  const decided = new Set<number>();
  const open = new Set<number>();
  return {
    add(cells: readonly ConsentCell[], email: string): void {
      for (const { column, key, value, meaning, isDecided } of cells) {
        if (isDecided) decided.add(column);
        if (meaning === null) open.add(column);
        const values = columns.get(column) ?? new Map<string, ListedValue>();
        columns.set(column, values);
        const before = values.get(key) ?? { value, people: 0, example: email, meaning };
        // A value that another column resolves in one line may still be a question in another line.
        const merged = before.meaning === null ? null : meaning;
        values.set(key, { ...before, people: before.people + 1, meaning: merged });
      }
    },
    list(all: readonly ImportColumn[]): readonly ValueQuestion[] {
      const listed = [open, decided].flatMap((numbers) => all.filter(({ number }) => numbers.has(number)));
      return [...new Set(listed)].slice(0, MAX_LISTED_COLUMNS).map(({ number, name }) => {
        const values = [...(columns.get(number)?.values() ?? [])];
        const sorted = values.sort(
          (a, b) => Number(a.meaning !== null) - Number(b.meaning !== null) || b.people - a.people,
        );
        const shown = sorted.slice(0, MAX_LISTED_VALUES);
        return { column: number, name, values: shown, more: sorted.length - shown.length };
      });
    },
    problem(all: readonly ImportColumn[]): string | null {
      const names = all.filter(({ number }) => open.has(number)).map(({ number, name }) => `${number} (${name})`);
      if (names.length === 0) return null;
      const more = names.length > MAX_NAMED_COLUMNS ? ` and ${names.length - MAX_NAMED_COLUMNS} more` : '';
      const columns = `${names.length === 1 ? 'column' : 'columns'} ${names.slice(0, MAX_NAMED_COLUMNS).join(', ')}${more}`;
      return `${columns} may say who wants email, but some values are not recognized; choose what each value means`;
    },
  };
}
