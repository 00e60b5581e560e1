import type { SignupResult } from 'early-access-kit/core';

export type FormOutcome =
  | SignupResult
  | 'invalid'
  | 'missing-field'
  | 'invalid-field'
  | 'failed'
  | 'no-origin'
  | 'foreign-origin';
