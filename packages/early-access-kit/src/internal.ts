/**
 * Internals that the packages of this repository share. They may change with any version and are not for other
 * packages.
 */

export { attributionOf, type PageAddress } from './core/attribution.ts';
export { retryOnce } from './core/errors.ts';
export { FIELD_NAME } from './core/field-declarations.ts';
export {
  type CheckboxField,
  consentTexts,
  type FieldDeclaration,
  type FieldOption,
  type FieldProblem,
  type FieldType,
  optionValues,
  type SelectField,
  type TextField,
  WEB_ADDRESS,
} from './core/fields.ts';
export {
  ANALYTICS_WINDOW_MS,
  CALL_DEADLINE_MS,
  CLOCK_TOLERANCE_MS,
  MAX_BODY_BYTES,
  MAX_FIRESTORE_VIEWS,
  MAX_LENGTH,
  MAX_RAW_EMAIL_LENGTH,
  MAX_TOTAL,
} from './core/limits.ts';
export {
  type AdminMessages,
  englishSignupMessages,
  type FieldMessages,
  type HumanMessages,
  type SignupMessages,
} from './core/messages.ts';
export { INITIAL_TOTALS, isBounce, summarize } from './core/metrics.ts';
export { checkDeclarations } from './core/more-declarations.ts';
export {
  CALENDAR_DAY,
  CHOICE_SEPARATOR,
  checkValue,
  explainProblem,
  fieldLength,
  isTextField,
  type LabelPart,
  labelParts,
  PHONE_NUMBER,
  parseFields,
} from './core/more-fields.ts';
export { DEFAULT_BASE, type FailureBody, HONEYPOT_FIELD, ROUTES, SIGNUP_KEY, STATUS_OF_CODE } from './core/protocol.ts';
export { isId } from './core/random-id.ts';
export {
  ATTRIBUTION_FIELDS,
  type Attribution,
  BROWSERS,
  type Browser,
  CAMPAIGN_FIELDS,
  DEVICE_TYPES,
  type DeviceType,
  LANDING_FIELDS,
  type Landing,
  OPERATING_SYSTEMS,
  type OperatingSystem,
  type StoredSignup,
} from './core/records.ts';
export { isRobot } from './core/session-checks.ts';
export { suggestDomain } from './core/suggest-domain.ts';
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './core/time.ts';
export { parseEmail, parseSessionId, parseSessionStart, parseSessionUpdate, parseSignup } from './core/validation.ts';
export * from './core.ts';
