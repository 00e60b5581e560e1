import type { SignupResult } from 'early-access-kit/core';
import type { OriginProblem } from '../access/origins.ts';
import type { AddressProblem } from './address-check.ts';
import type { ClosedReason } from './list-status.ts';

export type FormOutcome =
  | SignupResult
  | AddressProblem
  | ClosedReason
  | 'requested'
  | 'invalid'
  | 'missing-field'
  | 'invalid-field'
  | 'failed'
  | OriginProblem;
