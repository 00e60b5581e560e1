import type { PeopleFilter } from '../../../app/admin/people.ts';
import type { Queries } from '../connection.ts';
import { hasNul } from '../statement.ts';

/** The condition on `email_signups AS signup` that people of the filter meet. */
export function peopleCondition(sql: Queries, { search, state, mail, source, from, to }: PeopleFilter) {
  const conditions = [
    search === '' ? [] : [searchCondition(sql, search)],
    state === null ? [] : [sql`signup.state = ${state}`],
    mail === null ? [] : [mailCondition(sql, mail)],
    source === null ? [] : [sourceCondition(sql, source)],
    from === null ? [] : [sql`signup.created_at >= ${from}`],
    to === null ? [] : [sql`signup.created_at < ${to}`],
  ].flat();
  return conditions.reduce((all, condition) => sql`${all} AND ${condition}`, sql`true`);
}

function sourceCondition(sql: Queries, source: string) {
  return hasNul(source) ? sql`false` : sql`signup.source = ${source}`;
}

function searchCondition(sql: Queries, search: string) {
  // No address contains one, and Postgres stores no text with a NUL.
  if (/\p{Cc}/u.test(search)) return sql`false`;
  return sql`signup.email LIKE ${`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

function mailCondition(sql: Queries, mail: Exclude<PeopleFilter['mail'], null>) {
  if (mail === 'none') {
    return sql`NOT EXISTS (SELECT FROM early_access.mails WHERE signup_id = signup.id AND campaign_id IS NULL)`;
  }
  const last = sql`${mail} = (
    SELECT mails.state FROM early_access.mails WHERE signup_id = signup.id AND campaign_id IS NULL ORDER BY mails.id DESC LIMIT 1
  )`;
  if (mail === 'sent') return last;
  // Few messages are in another state. Written out, because a partial index may not be used for a parameter.
  return sql`signup.id IN (
    SELECT signup_id FROM early_access.mails WHERE mails.state = ${sql.unsafe(`'${mail}'`)} AND campaign_id IS NULL
  ) AND ${last}`;
}
