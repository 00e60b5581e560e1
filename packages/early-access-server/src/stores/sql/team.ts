import { randomUUID } from 'node:crypto';
import type { Member, TeamStore } from '../../app/ports/team-store.ts';
import { toMember } from './admin-rows.ts';
import type { SqlDatabase } from './sql-database.ts';
import { type Rows, sql, type Transaction } from './statement.ts';

export function teamStore({ query, write }: SqlDatabase, clock: () => number): TeamStore {
  return {
    members: async () => (await query(sql`SELECT * FROM @admin_members ORDER BY invited_at, email`)).map(toMember),
    findMember: async (email) => firstMember(await query(sql`SELECT * FROM @admin_members WHERE email = ${email}`)),
    invite: ({ email, role, invited_by }) =>
      write(function* () {
        const added = firstMember(
          yield* sql`
            INSERT INTO @admin_members (email, id, role, invited_at, invited_by)
            VALUES (${email}, ${randomUUID()}, ${role}, ${clock()}, ${invited_by}) ON CONFLICT DO NOTHING RETURNING *
          `,
        );
        if (added !== null) yield* endAccess(email);
        return added;
      }),
    changeRole: async (id, role) =>
      firstMember(await write(() => sql`UPDATE @admin_members SET role = ${role} WHERE id = ${id} RETURNING *`)),
    removeMember: (id) =>
      write(function* () {
        const removed = firstMember(yield* sql`DELETE FROM @admin_members WHERE id = ${id} RETURNING *`);
        if (removed === null) return null;
        yield* endAccess(removed.email);
        yield* sql`DELETE FROM @admin_settings WHERE email = ${removed.email}`;
        yield* sql`DELETE FROM @admin_weekly_emails WHERE email = ${removed.email}`;
        return removed;
      }),
    async recordSignIn(email) {
      await write(
        () => sql`UPDATE @admin_members SET signed_in_at = ${clock()} WHERE email = ${email} AND signed_in_at IS NULL`,
      );
    },
  };
}

function* endAccess(email: string): Transaction<void> {
  yield* sql`DELETE FROM @admin_sign_in_tokens WHERE email = ${email}`;
  yield* sql`DELETE FROM @admin_sessions WHERE email = ${email}`;
  yield* sql`DELETE FROM @admin_passkeys WHERE email = ${email}`;
}

function firstMember([row]: Rows): Member | null {
  return row === undefined ? null : toMember(row);
}
