import { StorageError } from 'early-access-kit/core';
import { columnFinder, type ImportColumn } from './columns.ts';
import { ALL_OTHERS, type ValueMeanings, valueKey } from './consent-cells.ts';
import { VALUE_MEANINGS, type ValueMeaning } from './value-meanings.ts';

const MAX_CHOICE_LENGTH = 1_000;

export interface ValueChoice {
  /** A column's number or name, a colon, and the value. `*` matches all values without a decision of their own. */
  readonly target: string;
  readonly meaning: ValueMeaning;
}

/** Parses choices such as `Status:inactive=unsubscribed`. Throws a `StorageError` if one has another format. */
export function parseValueChoices(texts: readonly string[]): readonly ValueChoice[] {
  return texts.map((text) => {
    const short = text.length > MAX_CHOICE_LENGTH ? '' : text;
    const [, target = '', name] = /^([^:]+:.*)=\s*([a-z-]+)\s*$/s.exec(short) ?? [];
    const meaning = VALUE_MEANINGS.find((candidate) => candidate === name);
    if (meaning !== undefined) return { target, meaning };
    throw new StorageError(
      'invalid',
      `value must be a column, a value and what it means, such as Status:inactive=unsubscribed; it means ${VALUE_MEANINGS.join(', ')}`,
    );
  });
}

/**
 * Finds the column and value of each choice. Both names and values may contain colons, so a choice applies to every
 * column whose name it starts with. Throws a `StorageError` if there is none, or if a value is given two meanings.
 */
export function resolveValueChoices(choices: readonly ValueChoice[], columns: readonly ImportColumn[]): ValueMeanings {
  const findColumn = columnFinder(columns);
  const meanings = new Map<number, Map<string, ValueMeaning>>();
  for (const { target, meaning } of choices) {
    const parts = target.split(':');
    const found = parts.slice(1).flatMap((_, index) => {
      const column = findColumn(
        parts
          .slice(0, index + 1)
          .join(':')
          .trim(),
      );
      return column === undefined
        ? []
        : [
            {
              column,
              value: parts
                .slice(index + 1)
                .join(':')
                .trim(),
            },
          ];
    });
    if (found.length === 0) {
      throw new StorageError('invalid', `the file has no column for the value ${JSON.stringify(target)}`);
    }
    for (const { column, value } of found) {
      const ofColumn = meanings.get(column.number) ?? new Map<string, ValueMeaning>();
      const key = value === ALL_OTHERS ? value : valueKey(value);
      const earlier = ofColumn.get(key) ?? meaning;
      if (earlier !== meaning) {
        throw new StorageError('invalid', `${JSON.stringify(target)} is both ${earlier} and ${meaning}; choose one`);
      }
      meanings.set(column.number, ofColumn.set(key, meaning));
    }
  }
  return meanings;
}

/** A column about consent with values that are not all understood. */
export interface ValueQuestion {
  readonly column: number;
  readonly name: string;
  readonly values: readonly {
    readonly value: string;
    readonly people: number;
    /** The address in a line with this value. */
    readonly example: string | null;
    /** Null: it must be decided before anyone is imported. */
    readonly meaning: ValueMeaning | null;
  }[];
  /** The number of distinct values that are not listed. */
  readonly more: number;
}
