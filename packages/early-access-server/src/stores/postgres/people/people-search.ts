import { foldCase, listSpellings } from '../../../app/text/parts.ts';
import { IN_STATE, type PeopleSearch } from '../../sql/people.ts';
import { containsAny } from '../../sql/segments.ts';
import { sql } from '../../sql/statement.ts';

const TEXTS = '$.** ? (@.type() == "string")';

/** Postgres chooses the indexes itself, including the trigram indexes for LIKE on addresses and values. */
export const peopleSearch: PeopleSearch = {
  hasPart(part) {
    const values = sql`SELECT value #>> '{}' AS entered FROM jsonb_path_query(signup.fields::jsonb, ${TEXTS}::jsonpath) AS value`;
    const ofValue = sql`SELECT 1 FROM (${values}) AS texts WHERE ${containsAny(sql`entered`, listSpellings(part))}`;
    return sql`(${hasAddressPart(part)} OR (${hasJsonPart(part)} AND EXISTS (${ofValue})))`;
  },
  narrow: ({ mail }) =>
    mail === null || mail === 'none' || mail === 'sent'
      ? sql`true`
      : sql`signup.id IN (SELECT signup_id FROM @mails WHERE ${IN_STATE[mail]} AND campaign_id IS NULL)`,
};

const hasAddressPart = (part: string) => sql`signup.email LIKE ${toPattern(part)}`;

/** Finds a superset through an index: everyone whose values contain the part as JSON. */
function hasJsonPart(part: string) {
  const patterns = listSpellings(part).map((spelling) => toPattern(foldCase(JSON.stringify(spelling).slice(1, -1))));
  const found = patterns.map((pattern) => sql`lower(signup.fields COLLATE "C") LIKE ${pattern}`);
  return sql`(${found.reduce((any, one) => sql`${any} OR ${one}`)})`;
}

function toPattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
