import { PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import type { ConsentColumn } from './columns.ts';
import { findOptOut, MAX_VALUE_LENGTH, type readValue } from './consent-words.ts';
import type { ConsentField } from './import-fields.ts';
import type { ValueMeaning } from './value-meanings.ts';
import { normalizeWords } from './words.ts';

/** Matches all values without a decision of their own. */
export const ALL_OTHERS = '*';

/** The admin's decisions, by column number and `valueKey`. */
export type ValueMeanings = ReadonlyMap<number, ReadonlyMap<string, ValueMeaning>>;

/** A value in a line and its meaning. Null: the admin has to decide. */
export interface ConsentCell {
  readonly column: number;
  readonly key: string;
  readonly value: string;
  readonly meaning: ValueMeaning | null;
  readonly isDecided: boolean;
}

export interface Consent {
  readonly stated: readonly PersonState[];
  /** The state in our own export. */
  readonly ownState: PersonState | null;
  /** The time of each opt-out; null if the time is unknown. */
  readonly optOuts: readonly (number | null)[];
  readonly bounced: number | boolean | null;
  readonly confirmed: number | boolean | null;
  readonly isLeftOut: boolean;
  readonly cells: readonly ConsentCell[];
  /** True if a value that may be an opt-out is ignored. */
  readonly isIgnoring: boolean;
}

export interface ConsentOptions {
  readonly meanings: ValueMeanings;
  readonly readValue: typeof readValue;
  /** The time in a cell, or null. */
  readTime(text: string, field: ConsentField): number | null;
}

/** Spellings with the same key share one decision. */
export function valueKey(value: string): string {
  const text = value.trim().slice(0, MAX_VALUE_LENGTH);
  return isEmpty(text) ? '' : normalizeWords(text) || text.toLowerCase();
}

const PUNCTUATION =
  /^(?:[\s\p{Cf}\p{Ps}\p{Pe}\p{Pd}\p{Pi}\p{Pf}.,;:/"'_`]*|null|none|nil|undefined|\\n|0000-00-00[ 0:.]*)$/iu;

/** Returns whether a cell is empty. `[]`, `-`, `NULL` and `0000-00-00` count as empty. */
function isEmpty(text: string): boolean {
  return PUNCTUATION.test(text);
}

/** The meaning of a cell. `agreed`, `not-out`: no question about consent is left. `nothing`: not about consent. */
type Statement =
  | { readonly says: 'state'; readonly state: PersonState }
  | { readonly says: 'out' | 'bounced' | 'confirmed'; readonly at: number | null }
  | { readonly says: 'agreed' | 'not-out' | 'not-confirmed' | 'nothing' | 'leave-out' };

const OF_MEANING: Readonly<Record<ValueMeaning, Statement>> = {
  subscribed: { says: 'state', state: 'subscribed' },
  pending: { says: 'state', state: 'pending' },
  unsubscribed: { says: 'out', at: null },
  bounced: { says: 'state', state: 'bounced' },
  'leave-out': { says: 'leave-out' },
  ignore: { says: 'nothing' },
};

/** Returns null if the cell is not understood. */
function readStatement(
  text: string,
  { polarity, isHint }: ConsentColumn,
  { readValue, readTime }: Pick<ConsentOptions, 'readValue' | 'readTime'>,
): Statement | null {
  if (isHint && findOptOut(text) === null) return { says: 'nothing' };
  if (polarity === 'doubt') return null;
  const value = readValue(text);
  if (value === 'yes' || value === 'no') return readAnswer(value, polarity);
  if (value === 'unsubscribed') return { says: 'out', at: null };
  if (value !== null) {
    // "Active" in an opt-out column may mean that the opt-out is active.
    const isUnclear = (polarity === 'out' || polarity === 'bounced') && value !== 'bounced' && value !== 'pending';
    if (polarity === 'bounced' && value === 'bounced') return { says: 'bounced', at: null };
    return isUnclear ? null : { says: 'state', state: value };
  }
  const field = FIELD_WITH_TIME[polarity];
  const at = readTime(text, field);
  if (at === null) return null;
  if (polarity === 'status') return { says: 'nothing' };
  return polarity === 'in' ? { says: 'agreed' } : { says: polarity, at };
}

const FIELD_WITH_TIME = {
  status: 'state',
  in: 'opt_in',
  out: 'unsubscribed_at',
  bounced: 'bounced_at',
  confirmed: 'confirmed_at',
} as const;

function readAnswer(value: 'yes' | 'no', polarity: keyof typeof FIELD_WITH_TIME): Statement | null {
  const isYes = value === 'yes';
  if (polarity === 'status') return null;
  if (polarity === 'in') return { says: 'state', state: isYes ? 'subscribed' : 'unsubscribed' };
  if (isYes) return { says: polarity, at: null };
  return { says: polarity === 'out' ? 'not-out' : polarity === 'confirmed' ? 'not-confirmed' : 'nothing' };
}

/**
 * Reads the consent in the cells of a line, applying the admin's decisions. In a column where other cells have values,
 * an empty cell is a question too, unless another column says whether the person wants email.
 */
export function readConsent(
  cells: readonly string[],
  columns: readonly ConsentColumn[],
  { meanings, ...options }: ConsentOptions,
): Consent {
  const read = columns.map((column) => {
    const value = (cells[column.number - 1] ?? '').trim();
    const key = valueKey(value);
    const chosen = meanings.get(column.number);
    const decided = chosen?.get(key);
    const understood = decided !== undefined || key === '' ? null : readStatement(value, column, options);
    const meaning = decided ?? (understood === null ? chosen?.get(ALL_OTHERS) : undefined);
    return { column, key, value, understood, meaning };
  });
  const isCertain = read.some(({ column, understood, meaning, key }) => {
    if (column.isIgnored) return false;
    if (understood !== null) return understood.says !== 'nothing' && understood.says !== 'bounced';
    return key !== '' && meaning !== undefined && meaning !== 'ignore';
  });
  const asked = read.filter(({ column, key }) => key !== '' || (column.asksEmpty && !isCertain));
  const used = asked.filter(({ column }) => !column.isIgnored);
  const statements = used.flatMap(({ understood, meaning, column }) => {
    const statement = meaning === undefined ? understood : OF_MEANING[meaning];
    return statement === null ? [] : [{ column, statement }];
  });
  const said = statements.map(({ statement }) => statement);
  const list = (kind: 'out' | 'bounced' | 'confirmed') =>
    said.flatMap((statement) => (statement.says === kind ? [statement.at] : []));
  const has = (kind: Statement['says']) => said.some(({ says }) => says === kind);
  return {
    stated: said.flatMap((statement) => (statement.says === 'state' ? [statement.state] : [])),
    ownState: findOwnState(read),
    optOuts: list('out'),
    bounced: latest(list('bounced')),
    confirmed: has('not-confirmed') ? false : latest(list('confirmed')),
    isLeftOut: has('leave-out'),
    cells: used.flatMap((cell) => toConsentCell(cell)),
    isIgnoring: asked.some(
      ({ column, understood, meaning }) =>
        (column.isIgnored || meaning === 'ignore') && !(understood !== null && isHarmless(understood)),
    ),
  };
}

/** Returns whether the person may not want email, or a cell is not understood. */
export function mayNotWant({ stated, optOuts, bounced, confirmed, isLeftOut, cells }: Consent): boolean {
  const isUnwanted = stated.some((state) => !isHarmless({ says: 'state', state })) || optOuts.length > 0;
  return (
    isUnwanted || bounced !== null || confirmed === false || isLeftOut || cells.some(({ meaning }) => meaning === null)
  );
}

type ReadCell = {
  readonly column: ConsentColumn;
  readonly key: string;
  readonly value: string;
  readonly understood: Statement | null;
  readonly meaning: ValueMeaning | undefined;
};

function findOwnState(read: readonly ReadCell[]): PersonState | null {
  const own = read.find(({ column, meaning }) => column.isOwnState && !column.isIgnored && meaning === undefined);
  return PERSON_STATES.find((state) => state === own?.key) ?? null;
}

/** The latest time. True if there is a yes but no time, null if there is neither. */
function latest(times: readonly (number | null)[]): number | true | null {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.max(...known) : times.length > 0 ? true : null;
}

function isHarmless(statement: Statement): boolean {
  if (statement.says === 'state') return !['unsubscribed', 'bounced', 'pending'].includes(statement.state);
  return ['confirmed', 'agreed', 'not-out', 'nothing'].includes(statement.says);
}

/** Dates and values that do not concern consent are left out. */
function toConsentCell({ column, key, value, understood, meaning }: ReadCell): readonly ConsentCell[] {
  const listed = { column: column.number, key, value: value.slice(0, MAX_VALUE_LENGTH) };
  if (meaning !== undefined) return [{ ...listed, meaning, isDecided: true }];
  if (understood === null) return [{ ...listed, meaning: null, isDecided: false }];
  if (understood.says === 'out' && understood.at === null) {
    return [{ ...listed, meaning: 'unsubscribed', isDecided: false }];
  }
  if (understood.says !== 'state' || understood.state === 'invited' || understood.state === 'joined') return [];
  return [{ ...listed, meaning: understood.state, isDecided: false }];
}
