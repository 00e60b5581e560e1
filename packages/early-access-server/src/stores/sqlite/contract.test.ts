import { DatabaseSync } from 'node:sqlite';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';
import { emptyDatabase } from '../../fixtures/temp-store.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { toMessage } from '../sql/message-row.ts';
import { textOrNull } from '../sql/row.ts';
import { sqliteStore } from './sqlite-store.ts';

runStoreContract({
  name: 'SQLite',
  createDatabase() {
    const file = emptyDatabase();
    const raw = new DatabaseSync(file, { readOnly: true });
    const messages = raw.prepare(
      'SELECT email, mails.* FROM mails LEFT JOIN email_signups ON email_signups.id = signup_id',
    );
    return {
      open: (options) => sqliteStore({ file, ...options }),
      readBack: {
        signups: () => readSignups(raw),
        sessions: () => readSessions(raw),
        messages: () =>
          messages.all().map((row) => {
            const { state, attempts, message_key: messageKey } = toMessage(row);
            return { email: textOrNull(row, 'email'), state, attempts, messageKey };
          }),
      },
      close: () => raw.close(),
    };
  },
});
