import type { SignupResult } from 'early-access-kit/core';
import type { AddressProblem } from './address-check.ts';

export type FormOutcome =
  | SignupResult
  | AddressProblem
  | 'invalid'
  | 'missing-field'
  | 'invalid-field'
  | 'failed'
  | 'no-origin'
  | 'foreign-origin';
