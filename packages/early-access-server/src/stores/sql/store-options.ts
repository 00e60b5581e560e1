import { DEFAULT_AUDIT_ENTRIES } from '../../app/admin/sign-in.ts';
import { DEFAULT_MAILS_PER_HOUR } from '../../app/mail/mail-quota.ts';
import type { StoreOptions } from '../../app/ports/store.ts';

export interface SqlStoreOptions extends StoreOptions {
  /** Whether a new signup queues its welcome email. Default: true. */
  readonly welcomeEmail?: boolean;
}

export type StoreSettings = Required<SqlStoreOptions>;

/** The options of a store, with defaults for missing ones. */
export function withDefaults({
  clock = Date.now,
  mailsPerHour = DEFAULT_MAILS_PER_HOUR,
  leaseMs = 300_000,
  welcomeEmail = true,
  confirm = false,
  auditEntries = DEFAULT_AUDIT_ENTRIES,
}: SqlStoreOptions): StoreSettings {
  return { clock, mailsPerHour, leaseMs, welcomeEmail, confirm, auditEntries };
}
