export { attributionOfForm } from './attribution-of-form.ts';
export { type Bucket, type Budget, fullAt, refilled, secondsUntilToken } from './bucket.ts';
export { clientKey } from './client-key.ts';
export type { Clock } from './clock.ts';
export { type SignupRow, writeSignupsCsv } from './csv.ts';
export type { Log, LogFields } from './log.ts';
export { type FormOutcome, OUTCOMES, resultPage, resultPageHeaders } from './result-page.ts';
export { SIGNUP_COLUMNS } from './signup-columns.ts';
