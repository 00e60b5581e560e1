import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_SIGNUP_STATE, type SignupEvent, signupReducer } from './signup-state.ts';

const stateAfter = (...types: SignupEvent['type'][]) =>
  types.reduce((state, type) => signupReducer(state, { type }), INITIAL_SIGNUP_STATE);

describe('signupReducer', () => {
  it('goes through idle, submitting and success', () => {
    expect(stateAfter().status).toBe('idle');
    expect(stateAfter('submitted').status).toBe('submitting');
    expect(stateAfter('submitted', 'succeeded').status).toBe('success');
  });

  it('returns to idle after a failure', () => expect(stateAfter('submitted', 'failed')).toEqual(INITIAL_SIGNUP_STATE));

  it('has the error of a failure until the next attempt', () => {
    const failed = signupReducer(stateAfter('submitted'), { type: 'failed', error: 'no' });
    expect(failed).toEqual({ status: 'idle', invalid: false, error: 'no' });
    for (const type of ['submitted', 'refused', 'reset'] as const) {
      expect(signupReducer(failed, { type }).error, type).toBeUndefined();
    }
  });

  it('marks an invalid address until the next keystroke', () => {
    expect(stateAfter('refused').invalid).toBe(true);
    expect(stateAfter('refused', 'edited').invalid).toBe(false);
    expect(stateAfter('refused', 'submitted').invalid).toBe(false);
  });

  it('leaves submitting only by its outcome, and success only by a reset', () => {
    const event = fc.constantFrom<SignupEvent['type']>(
      'edited',
      'refused',
      'submitted',
      'failed',
      'succeeded',
      'reset',
    );
    fc.assert(
      fc.property(fc.array(event), event, (before, next) => {
        const state = stateAfter(...before);
        const result = signupReducer(state, { type: next });
        if (state.status === 'success' && next !== 'reset') expect(result).toBe(state);
        if (state.status === 'submitting' && next !== 'failed' && next !== 'succeeded') expect(result).toBe(state);
        if (result.status === 'success') expect(['submitting', 'success']).toContain(state.status);
        if (next === 'reset' && state.status !== 'submitting') expect(result).toEqual(INITIAL_SIGNUP_STATE);
        if (result.invalid) expect(result.status).toBe('idle');
      }),
    );
  });
});
