export type { Inbox, SharedLink, SignupResult, StorageAdapter } from './core/adapter.ts';
export { attributionOf, type PageAddress } from './core/attribution.ts';
export { isValidEmail, normalizeEmail } from './core/email.ts';
export { isStorageError, retryOnce, StorageError, type StorageErrorCode } from './core/errors.ts';
export { checkDeclarations, FIELD_NAME } from './core/field-declarations.ts';
export {
  type CheckboxField,
  checkValue,
  consentTexts,
  DEFAULT_FIELD_LENGTH,
  explainProblem,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldOption,
  type FieldProblem,
  type FieldType,
  optionValues,
  parseFields,
  type SelectField,
  type SignupFields,
  type TextField,
  WEB_ADDRESS,
} from './core/fields.ts';
export {
  ANALYTICS_WINDOW_MS,
  CALL_DEADLINE_MS,
  CLOCK_TOLERANCE_MS,
  MAX_BODY_BYTES,
  MAX_LENGTH,
  MAX_RAW_EMAIL_LENGTH,
  MAX_TOTAL,
} from './core/limits.ts';
export {
  type AdminMessages,
  englishSignupMessages,
  type FieldMessages,
  type HumanMessages,
  type Messages,
  type SignupMessages,
} from './core/messages.ts';
export {
  analyticsWindowStart,
  INITIAL_TOTALS,
  isBounce,
  mergeSession,
  type SessionSums,
  splitTotals,
  summarize,
  toSessionRecord,
  toSummary,
} from './core/metrics.ts';
export {
  DEFAULT_BASE,
  type FailureBody,
  HONEYPOT_FIELD,
  ROUTES,
  SIGNUP_KEY,
  STATUS_OF_CODE,
} from './core/protocol.ts';
export { isId } from './core/random-id.ts';
export {
  type AnalyticsSummary,
  ATTRIBUTION_FIELDS,
  type Attribution,
  BROWSERS,
  type Browser,
  CAMPAIGN_FIELDS,
  DEVICE_TYPES,
  type DeviceType,
  type EmailSignup,
  LANDING_FIELDS,
  type Landing,
  OPERATING_SYSTEMS,
  type OperatingSystem,
  type SessionRecord,
  type SessionStart,
  type SessionTotals,
  type SessionUpdate,
  type StoredSignup,
} from './core/records.ts';
export { clampDuration, clampTimes, isRobot } from './core/session-checks.ts';
export { suggestDomain } from './core/suggest-domain.ts';
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './core/time.ts';
export {
  parseEmail,
  parseSessionId,
  parseSessionStart,
  parseSessionUpdate,
  parseSignup,
} from './core/validation.ts';
