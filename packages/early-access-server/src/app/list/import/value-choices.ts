import { StorageError } from 'early-access-kit/core';

/**
 * What a value of a column about consent says of the people who have it. `leave-out`: they are not imported. `ignore`: it says nothing about
 * consent.
 */
export const VALUE_MEANINGS = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'leave-out', 'ignore'] as const;
export type ValueMeaning = (typeof VALUE_MEANINGS)[number];

/** A decision of the admin about a value. */
export interface ValueChoice {
  /** The column by its number or its name, a colon, and the value; `*` for all values that are not decided otherwise. */
  readonly target: string;
  readonly meaning: ValueMeaning;
}

/** Parses choices such as `Status:inactive=unsubscribed`. Throws a `StorageError` if one is of another form. */
export function parseValueChoices(texts: readonly string[]): readonly ValueChoice[] {
  return texts.map((text) => {
    const [, target = '', name] = /^([^:]+:.*)=\s*([a-z-]+)\s*$/s.exec(text) ?? [];
    const meaning = VALUE_MEANINGS.find((candidate) => candidate === name);
    if (meaning !== undefined) return { target, meaning };
    throw new StorageError(
      'invalid',
      `value must be a column, a value and what it means, such as Status:inactive=unsubscribed; it means ${VALUE_MEANINGS.join(', ')}`,
    );
  });
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
