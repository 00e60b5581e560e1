import type { PeopleSearch } from '../../sql/people.ts';
import { sql } from '../../sql/statement.ts';

/** Few messages are in one of these states. Written out, because a partial index may not be used for a parameter. */
const IN_STATE = {
  queued: sql`state = 'queued'`,
  sending: sql`state = 'sending'`,
  failed: sql`state = 'failed'`,
  unknown: sql`state = 'unknown'`,
} as const;

/** Postgres chooses indexes by itself, among them that of the parts of addresses for LIKE. */
export const peopleSearch: PeopleSearch = {
  hasPart: (part) => sql`signup.email LIKE ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  narrow: ({ mail }) =>
    mail === null || mail === 'none' || mail === 'sent'
      ? sql`true`
      : sql`signup.id IN (SELECT signup_id FROM @mails WHERE ${IN_STATE[mail]} AND campaign_id IS NULL)`,
};
