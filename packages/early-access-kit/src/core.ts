export type { Inbox, OwnSignup, SharedLink, SignupResult, StorageAdapter } from './core/adapter.ts';
export { isValidEmail, normalizeEmail } from './core/email.ts';
export { isStorageError, StorageError, type StorageErrorCode } from './core/errors.ts';
export type { FieldDeclarations, SignupFields } from './core/fields.ts';
export type { Messages } from './core/messages.ts';
export {
  analyticsWindowStart,
  mergeSession,
  type SessionSums,
  splitTotals,
  toSessionRecord,
  toSummary,
} from './core/metrics.ts';
export type {
  AnalyticsSummary,
  EmailSignup,
  SessionRecord,
  SessionStart,
  SessionTotals,
  SessionUpdate,
} from './core/records.ts';
export { clampDuration, clampTimes } from './core/session-checks.ts';
