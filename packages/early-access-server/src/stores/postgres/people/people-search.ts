import { IN_STATE, type PeopleSearch } from '../../sql/people.ts';
import { sql } from '../../sql/statement.ts';

/** Postgres chooses indexes by itself, among them that of the parts of addresses for LIKE. */
export const peopleSearch: PeopleSearch = {
  hasPart: (part) => sql`signup.email LIKE ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  narrow: ({ mail }) =>
    mail === null || mail === 'none' || mail === 'sent'
      ? sql`true`
      : sql`signup.id IN (SELECT signup_id FROM @mails WHERE ${IN_STATE[mail]} AND campaign_id IS NULL)`,
};
