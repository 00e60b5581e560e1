import { withoutAddresses } from '../access/without-addresses.ts';
import type { PeopleFilter } from './people.ts';

const MAX_LENGTH = 300;

/**
 * Describes a filter in words for the audit log. Erasing people does not change the log, so searches and segment
 * values, which may be personal data, are mentioned but not quoted. Undefined: everyone.
 */
export function describeFilter(filter: PeopleFilter): string | undefined {
  const { search, state, mail, source, import: file, from, to, segment } = filter;
  const conditions = Object.keys(segment?.conditions ?? {});
  const parts = [
    state,
    mail && `last email: ${mail}`,
    source && `source: ${source}`,
    file && 'of an import',
    from !== null && `from ${day(from)}`,
    to !== null && `before ${day(to)}`,
    search && 'found by a search',
    conditions.length > 0 && `in a segment by ${conditions.join(', ')}`,
  ].filter((part) => typeof part === 'string' && part !== '');
  if (parts.length === 0) return undefined;
  return withoutAddresses(parts.join('; '), null).slice(0, MAX_LENGTH);
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
