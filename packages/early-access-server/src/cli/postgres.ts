import { ConfigError } from '../app/config-error.ts';
import { describeError } from '../app/ports/log.ts';
import type { Store } from '../app/ports/store.ts';
import type { PostgresStoreOptions } from '../stores/postgres/postgres-store.ts';

/** Opens the store in the database of `DATABASE_URL`. On failure, throws a `ConfigError` without user and password. */
export async function openPostgres(url: string, options: Omit<PostgresStoreOptions, 'url'>): Promise<Store> {
  const { postgresStore } = await import('../stores/postgres/postgres-store.ts');
  return withinReach(url, async () => {
    const store = postgresStore({ url, ...options });
    try {
      await store.ping();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  });
}

/** Converts a failure to connect to a `ConfigError` without user and password. */
export async function withinReach<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`the database at ${readServerAddress(url)} cannot be used: ${describeProblem(error, url)}`);
  }
}

/** Host, port and database, without user and password. */
export function readServerAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the user or the password in DATABASE_URL',
  '28000': 'it refuses the user in DATABASE_URL',
  '3D000': 'there is no such database; create it, or correct DATABASE_URL',
  '42501': 'its user lacks a privilege; it must own the database, or the schema early_access',
  '53300': 'it has no free connection',
  '57P03': 'it is starting up or shutting down',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
};

function describeProblem(error: unknown, url: string): string {
  // A store's error describes the consequence; its `cause` is the actual failure.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const codes = [cause, ...(cause instanceof AggregateError ? cause.errors : [])].map((one: unknown) =>
    one instanceof Error && 'code' in one ? String(one.code) : '',
  );
  const known = codes.map((code) => PROBLEMS[code]).find((problem) => problem !== undefined);
  return known ?? withoutCredentials(describeError(cause).replace(/\s+/g, ' '), url);
}

function withoutCredentials(text: string, url: string): string {
  const { username, password } = new URL(url);
  return [url, username, password, decodeURIComponent(username), decodeURIComponent(password)]
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}
