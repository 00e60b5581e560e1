import { beforeAll } from 'vitest';
import { createTemplate, postgresForFile } from '../../fixtures/postgres.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { toMessage } from '../sql/message-row.ts';
import { toSession, toSignup } from '../sql/record-rows.ts';
import { textOrNull } from '../sql/row.ts';
import { connect } from './connection.ts';
import { postgresStore } from './postgres-store.ts';

const postgres = postgresForFile();
/** An empty database with the newest schema. */
let template: string;

beforeAll(async () => {
  template = await createTemplate(postgres());
});

runStoreContract({
  name: 'Postgres',
  async createDatabase() {
    const url = await postgres().createDatabase(template);
    const raw = connect(url, 1);
    return {
      open: (options) => postgresStore({ url, ...options }),
      readBack: {
        signups: async () => (await raw`SELECT * FROM early_access.email_signups ORDER BY id`).map(toSignup),
        sessions: async () =>
          (await raw`SELECT * FROM early_access.sessions ORDER BY session_start, id`).map(toSession),
        messages: async () => {
          const rows = await raw`
            SELECT email, mails.* FROM early_access.mails LEFT JOIN early_access.email_signups AS signup ON signup.id = signup_id
            ORDER BY mails.id
          `;
          return rows.map((row) => {
            const { state, attempts, message_key: messageKey } = toMessage(row);
            return { email: textOrNull(row, 'email'), state, attempts, messageKey };
          });
        },
      },
      close: () => raw.end(),
    };
  },
});
