import { firstState, type PersonState } from './states.ts';

/** How a list receives new people. */
export interface FirstSteps {
  /** Whether signups have to be confirmed. */
  readonly confirm: boolean;
  /** Whether a signup that need not be confirmed gets the welcome email. */
  readonly welcomeEmail: boolean;
}

/** The state of a new signup, and the message that is queued with it. */
export function firstStep({ confirm, welcomeEmail }: FirstSteps): {
  readonly state: PersonState;
  readonly message: 'confirmation' | 'welcome' | null;
} {
  return { state: firstState(confirm), message: confirm ? 'confirmation' : welcomeEmail ? 'welcome' : null };
}
