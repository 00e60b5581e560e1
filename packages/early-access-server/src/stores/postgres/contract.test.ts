import { type PostgresServer, startPostgres } from '@early-access-kit/testkit/postgres-server';
import { afterAll, beforeAll, describe } from 'vitest';
import { adminContract } from '../../testing/admin-contract.ts';
import { analyticsContract } from '../../testing/analytics-contract.ts';
import { campaignsContract } from '../../testing/campaigns-contract.ts';
import { type OpenOptions, setUpWith } from '../../testing/harness.ts';
import { listContract } from '../../testing/list-contract.ts';
import { listHistoriesContract } from '../../testing/list-histories-contract.ts';
import { mailContract } from '../../testing/mail-contract.ts';
import { peopleContract } from '../../testing/people-contract.ts';
import { personContract } from '../../testing/person-contract.ts';
import { sessionContract } from '../../testing/session-contract.ts';
import { webhooksContract } from '../../testing/webhooks-contract.ts';
import { toMessage } from '../sql/message-row.ts';
import { textOrNull } from '../sql/row.ts';
import { toSession } from '../sql/session-row.ts';
import { toSignup } from '../sql/signup-row.ts';
import type { Store } from '../store.ts';
import { connect } from './connection.ts';
import { postgresStore } from './postgres-store.ts';

let server: PostgresServer;
/** An empty database with the newest schema. */
let template: string;

beforeAll(async () => {
  server = await startPostgres();
  template = await server.createDatabase();
  const store = postgresStore({ url: template });
  for await (const _ of store.signups());
  await store.close();
});
afterAll(() => server.close());

const contract = {
  name: 'Postgres',
  async createDatabase() {
    const url = await server.createDatabase(template);
    const raw = connect(url, 1);
    return {
      // The parts that follow.
      open: (options: OpenOptions) => postgresStore({ url, ...options }) as Store,
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
};
const setUp = setUpWith(contract);
describe('store contract: Postgres', () => {
  adminContract(setUp);
  peopleContract(setUp);
  personContract(setUp);
  sessionContract(setUp);
  analyticsContract(setUp);
  mailContract(setUp);
  campaignsContract(setUp);
  listContract(setUp);
  listHistoriesContract(setUp);
  webhooksContract(setUp);
});
