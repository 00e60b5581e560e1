import { StorageError } from 'early-access-kit/core';
import { columnFinder, type ImportColumn } from './columns.ts';
import { ALL_OTHERS, type ValueMeanings, valueKey } from './consent-cells.ts';
import { VALUE_MEANINGS, type ValueMeaning } from './value-meanings.ts';

const MAX_CHOICE_LENGTH = 1_000;

export interface ValueChoice {
  /**
   * The column by its number or its name, a colon, and the value; `*` for all values that are not decided otherwise.
   */
  readonly target: string;
  readonly meaning: ValueMeaning;
}

/** Parses choices such as `Status:inactive=unsubscribed`. Throws a `StorageError` if one is of another form. */
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
 * Finds the column and the value of each choice. A name may contain colons, as a value may, so that every column whose
 * name a choice begins with gets it. Throws a `StorageError` if there is none, or if a value has two meanings.
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

/** A column whose values are about consent, and are not all understood. */
export interface ValueQuestion {
  readonly column: number;
  readonly name: string;
  readonly values: readonly {
    readonly value: string;
    readonly people: number;
    /** The address of a line with the value. */
    readonly example: string | null;
    /** Null: it must be decided before anyone is imported. */
    readonly meaning: ValueMeaning | null;
  }[];
  /** How many different values are not listed. */
  readonly more: number;
}
