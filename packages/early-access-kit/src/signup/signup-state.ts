/** The state of the form: ready, waiting for the store, or done. */
export type SignupStatus = 'idle' | 'submitting' | 'success';

export interface SignupState {
  readonly status: SignupStatus;
  /** The last attempt was rejected because the address is invalid; cleared by the next keystroke. */
  readonly invalid: boolean;
  /** The error that the adapter threw in the last attempt; undefined if it did not fail. */
  readonly error: unknown;
}

export type SignupEvent =
  | { readonly type: 'edited' }
  | { readonly type: 'refused' }
  | { readonly type: 'submitted' }
  | { readonly type: 'failed'; readonly error?: unknown }
  | { readonly type: 'succeeded' }
  | { readonly type: 'reset' };

export const INITIAL_SIGNUP_STATE: SignupState = { status: 'idle', invalid: false, error: undefined };

export function signupReducer(state: SignupState, event: SignupEvent): SignupState {
  // Only its own outcome ends a running attempt, and only a reset ends the success state.
  if (state.status === 'submitting') {
    if (event.type === 'succeeded') return { ...INITIAL_SIGNUP_STATE, status: 'success' };
    return event.type === 'failed' ? { ...INITIAL_SIGNUP_STATE, error: event.error } : state;
  }
  if (event.type === 'reset') return INITIAL_SIGNUP_STATE;
  if (state.status === 'success') return state;
  switch (event.type) {
    case 'edited':
      return state.invalid ? INITIAL_SIGNUP_STATE : state;
    case 'refused':
      return { ...INITIAL_SIGNUP_STATE, invalid: true };
    case 'submitted':
      return { ...INITIAL_SIGNUP_STATE, status: 'submitting' };
    default:
      return state;
  }
}
