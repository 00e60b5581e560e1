import { randomUUID } from 'node:crypto';
import { isCounterValid } from '../../app/access/passkeys.ts';
import { newSession } from '../../app/admin/sign-in.ts';
import type { Passkey, PasskeyStore } from '../../app/ports/passkey-store.ts';
import { openSession } from './admin.ts';
import { toPasskey } from './admin-rows.ts';
import { queueNotices } from './messages.ts';
import type { SqlDatabase } from './sql-database.ts';
import { type Rows, sql } from './statement.ts';

export function passkeyStore({ query, write }: SqlDatabase, clock: () => number): PasskeyStore {
  const selectByCredential = (id: string) => sql`SELECT * FROM @admin_passkeys WHERE credential_id = ${id}`;
  return {
    list: async (email) =>
      (await query(sql`SELECT * FROM @admin_passkeys WHERE email = ${email} ORDER BY created_at, id`)).map(toPasskey),
    find: async (credentialId) => firstPasskey(await query(selectByCredential(credentialId))),
    add: ({ credential_id, email, name, public_key, counter }, notice) =>
      write(function* () {
        const now = clock();
        const added = firstPasskey(
          yield* sql`
            INSERT INTO @admin_passkeys (id, credential_id, email, name, public_key, counter, created_at)
            VALUES (${randomUUID()}, ${credential_id}, ${email}, ${name}, ${public_key}, ${counter}, ${now})
            ON CONFLICT DO NOTHING RETURNING *
          `,
        );
        if (added !== null && notice !== null) yield* queueNotices([email], notice, now);
        return added;
      }),
    rename: async (email, id, name) =>
      (await write(() => sql`UPDATE @admin_passkeys SET name = ${name} WHERE id = ${id} AND email = ${email}`)).count >
      0,
    remove: async (email, id) =>
      (await write(() => sql`DELETE FROM @admin_passkeys WHERE id = ${id} AND email = ${email}`)).count > 0,
    signIn: (credentialId, counter, { hash, ...opened }) =>
      write(function* () {
        const now = clock();
        const passkey = firstPasskey(yield* selectByCredential(credentialId));
        if (passkey === null || !isCounterValid(passkey.counter, counter)) return null;
        yield* sql`UPDATE @admin_passkeys SET counter = ${counter}, last_used_at = ${now} WHERE id = ${passkey.id}`;
        return yield* openSession(newSession(passkey.email, opened, now), hash);
      }),
  };
}

function firstPasskey([row]: Rows): Passkey | null {
  return row === undefined ? null : toPasskey(row);
}
