import postgres, { type Sql as PostgresSql, type TransactionSql } from 'postgres';

/** Every id, time and count of this schema is below 2^53, so they are read as numbers. */
type Types = { readonly bigint: number };
export type Sql = PostgresSql<Types>;
export type Transaction = TransactionSql<Types>;
/** What a statement can run on. */
export type Queries = Sql | Transaction;

/** How long a new connection may take, and how long an idle one stays open, in seconds. */
const CONNECT_SECONDS = 5;
const IDLE_SECONDS = 60;

/** Supabase's pooler in transaction mode listens on this port. */
const POOLER_PORT = '6543';

/**
 * A pool of connections, opened when they are needed. A transaction pooler gives each transaction another connection, so nothing may stay
 * in a session, and statements are not prepared if the address names such a pooler: by its port, or by the parameter `pgbouncer=true`.
 */
export function connect(url: string, connections: number): Sql {
  const address = new URL(url);
  const isPooled = address.port === POOLER_PORT || address.searchParams.get('pgbouncer') === 'true';
  address.searchParams.delete('pgbouncer');
  return postgres(address.href, {
    max: connections,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: IDLE_SECONDS,
    prepare: !isPooled,
    types: {
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: (raw: string) => Number(raw) },
    },
    onnotice: () => {},
    connection: { application_name: 'early-access-server' },
  });
}
