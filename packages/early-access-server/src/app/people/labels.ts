/** Labels of one person. */
export const MAX_LABELS = 10;
export const MAX_LABEL_LENGTH = 40;
/** Different combinations of labels that are read to list the labels in use. */
export const MAX_LABEL_SETS = 300;

/** What separates labels in a cell of a file. */
const SEPARATOR = /[,;]/;
const UNUSABLE = /[,;\p{Cc}\p{Cs}]/u;

/** Labels that a person gets, and those that are taken off. */
export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The label as it is stored; null if it is empty, too long, or has a separator. */
export function parseLabel(text: string): string | null {
  const label = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  return label === '' || label.length > MAX_LABEL_LENGTH || UNUSABLE.test(label) ? null : label;
}

/** Some products write each tag in quotes. */
const QUOTES = /^\s*"+|"+\s*$/g;

/** The labels in a cell, as `joinLabels` writes them; null if one cannot be used or there are too many. */
export function splitLabels(cell: string): readonly string[] | null {
  const parts = cell.split(SEPARATOR).flatMap((part) => part.replaceAll(QUOTES, '').trim() || []);
  const labels = parts.map(parseLabel).filter((label) => label !== null);
  const changed = changeLabels([], { add: labels, remove: [] });
  return labels.length < parts.length || changed === 'full' ? null : changed;
}

export function joinLabels(labels: readonly string[]): string {
  return labels.join(', ');
}

/** The labels after the change, each once and sorted. `full`: there would be more than `MAX_LABELS`. */
export function changeLabels(labels: readonly string[], { add, remove }: LabelChange): readonly string[] | 'full' {
  const kept = labels.filter((label) => !remove.includes(label));
  const changed = [...new Set([...kept, ...add])].sort();
  return changed.length > Math.max(MAX_LABELS, labels.length) ? 'full' : changed;
}

/**
 * The labels as a database stores them: each between line breaks, which no label contains, so that one is found by a
 * search for text. Null: none.
 */
export function writeLabels(labels: readonly string[] = []): string | null {
  return labels.length === 0 ? null : `\n${labels.join('\n')}\n`;
}

/** How a label is found in what `writeLabels` returns. */
export function storedLabel(label: string): string {
  return `\n${label}\n`;
}

export function readLabels(stored: string | null): readonly string[] {
  return (stored ?? '').split('\n').filter((label) => label !== '');
}

/** The labels as a part of a person: left out if there are none. */
export function presentLabels(stored: string | null): { readonly labels?: readonly string[] } {
  const labels = readLabels(stored);
  return labels.length === 0 ? {} : { labels };
}

/** The labels of different combinations, as they are stored, sorted. */
export function listLabels(sets: readonly string[]): readonly string[] {
  return [...new Set(sets.flatMap(readLabels))].sort();
}
