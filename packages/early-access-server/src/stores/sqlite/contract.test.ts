import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe } from 'vitest';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';
import { analyticsContract } from '../../testing/analytics-contract.ts';
import { type StoreContract, setUpWith } from '../../testing/harness.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { toMessage } from './message-row.ts';
import { textOrNull } from './row.ts';
import { type SqliteStore, sqliteStore } from './sqlite-store.ts';

const contract: StoreContract<SqliteStore> = {
  name: 'SQLite',
  createDatabase() {
    const file = join(tempFolder(), 'contract.sqlite');
    sqliteStore({ file }).close();
    const raw = new DatabaseSync(file, { readOnly: true });
    const messages = raw.prepare('SELECT email, mails.* FROM mails LEFT JOIN email_signups ON id = signup_id');
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
};

runStoreContract(contract);
describe('store contract: SQLite', () => analyticsContract(setUpWith(contract)));
