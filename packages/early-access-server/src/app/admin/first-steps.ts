import type { StoreFacts } from '../ports/store.ts';
import type { MailTransportKind } from './health.ts';

/** What an admin does first, in this order. */
export const FIRST_STEPS = ['sender', 'form', 'signup', 'backup'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** `elsewhere`: the database has backups of its own, of which the application knows nothing. */
export const STEP_STATES = ['open', 'done', 'elsewhere'] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface FirstStepsInput {
  readonly transport: MailTransportKind;
  /** Whether a page has stored a session or a signup. */
  readonly hasVisits: boolean;
  /** Whether a visitor has signed up. Imported people have not. */
  readonly hasSignups: boolean;
  readonly facts: Pick<StoreFacts, 'store' | 'last_backup_at'>;
}

/** How far the first steps are, from what is stored and set now: nothing remembers a step, so none can be wrong. */
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
