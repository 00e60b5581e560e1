import type { StoreFacts } from '../ports/store.ts';
import type { MailTransportKind } from './health.ts';

/** The setup steps in the dashboard, in order. */
export const FIRST_STEPS = ['sender', 'form', 'signup', 'backup'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** `elsewhere`: the database is backed up outside the application, which cannot check it. */
export const STEP_STATES = ['open', 'done', 'elsewhere'] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface FirstStepsInput {
  readonly transport: MailTransportKind;
  /** True once a page has stored a session or a signup. */
  readonly hasVisits: boolean;
  /** True once a visitor has signed up. Imports do not count. */
  readonly hasSignups: boolean;
  readonly facts: Pick<StoreFacts, 'store' | 'last_backup_at'>;
}

/** Returns the progress of the setup. Derived from stored data and settings each time, so it cannot become stale. */
export function firstSteps({
  transport,
  hasVisits,
  hasSignups,
  facts: { store, last_backup_at },
}: FirstStepsInput): Readonly<Record<FirstStep, StepState>> {
  const state = (isDone: boolean): StepState => (isDone ? 'done' : 'open');
  return {
    sender: state(transport === 'smtp'),
    form: state(hasVisits || hasSignups),
    signup: state(hasSignups),
    backup: store === 'sqlite' ? state(last_backup_at !== null) : 'elsewhere',
  };
}
