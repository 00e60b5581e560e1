/** The form's states (SPEC section 4) as a pure reducer. */
export type SignupStatus = 'idle' | 'submitting' | 'success';

export interface SignupState {
  readonly status: SignupStatus;
  /** The last attempt was refused for its address; cleared by the next keystroke. */
  readonly invalid: boolean;
}

export type SignupEvent =
  | { readonly type: 'edited' }
  | { readonly type: 'refused' }
  | { readonly type: 'submitted' }
  | { readonly type: 'failed' }
  | { readonly type: 'succeeded' };

export const INITIAL_SIGNUP_STATE: SignupState = { status: 'idle', invalid: false };

export function signupReducer(state: SignupState, event: SignupEvent): SignupState {
  // Success is final, and an attempt under way ends only by its own outcome.
  if (state.status === 'success') return state;
  if (state.status === 'submitting') {
    if (event.type === 'succeeded') return { status: 'success', invalid: false };
    return event.type === 'failed' ? INITIAL_SIGNUP_STATE : state;
  }
  switch (event.type) {
    case 'edited':
      return state.invalid ? INITIAL_SIGNUP_STATE : state;
    case 'refused':
      return { status: 'idle', invalid: true };
    case 'submitted':
      return { status: 'submitting', invalid: false };
    default:
      return state;
  }
}
