/** The most labels per person. */
export const MAX_LABELS = 10;
export const MAX_LABEL_LENGTH = 40;
/** The most distinct label combinations that are read to list the labels in use. */
export const MAX_LABEL_SETS = 300;

/** Separates labels in a CSV cell. */
const SEPARATOR = /[,;]/;
const UNUSABLE = /[,;\p{Cc}\p{Cs}]/u;

/** Labels to add to a person and to remove. */
export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Returns the label as it is stored, or null if it is empty, too long, or contains a separator. */
export function parseLabel(text: string): string | null {
  const label = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  return label === '' || label.length > MAX_LABEL_LENGTH || UNUSABLE.test(label) ? null : label;
}

/** Some products put quotes around each tag. */
const QUOTES = /^\s*"+|"+\s*$/g;

/** Parses a cell in the format of `joinLabels`. Null if a label is invalid or there are too many. */
export function splitLabels(cell: string): readonly string[] | null {
  const parts = cell.split(SEPARATOR).flatMap((part) => part.replaceAll(QUOTES, '').trim() || []);
  const labels = parts.map(parseLabel).filter((label) => label !== null);
  const changed = changeLabels([], { add: labels, remove: [] });
  return labels.length < parts.length || changed === 'full' ? null : changed;
}

export function joinLabels(labels: readonly string[]): string {
  return labels.join(', ');
}

/** Returns the labels after the change, distinct and sorted. `full`: there would be more than `MAX_LABELS`. */
export function changeLabels(labels: readonly string[], { add, remove }: LabelChange): readonly string[] | 'full' {
  const kept = labels.filter((label) => !remove.includes(label));
  const changed = [...new Set([...kept, ...add])].sort();
  return changed.length > Math.max(MAX_LABELS, labels.length) ? 'full' : changed;
}

/**
 * Returns labels as a database stores them: surrounded by line breaks, which no label contains, so that one label can
 * be found with a text search. Null: none.
 */
export function writeLabels(labels: readonly string[] = []): string | null {
  return labels.length === 0 ? null : `\n${labels.join('\n')}\n`;
}

/** The text to search for to find a label in the result of `writeLabels`. */
export function storedLabel(label: string): string {
  return `\n${label}\n`;
}

export function readLabels(stored: string | null): readonly string[] {
  return (stored ?? '').split('\n').filter((label) => label !== '');
}

/** The labels as a property of a person, left out if there are none. */
export function presentLabels(stored: string | null): { readonly labels?: readonly string[] } {
  const labels = readLabels(stored);
  return labels.length === 0 ? {} : { labels };
}

/** The distinct labels of stored combinations, sorted. */
export function listLabels(sets: readonly string[]): readonly string[] {
  return [...new Set(sets.flatMap(readLabels))].sort();
}
