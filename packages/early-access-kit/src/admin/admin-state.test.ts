import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AdminEvent,
  type AdminState,
  adminReducer,
  emailToCheck,
  LOCKED,
  type SummaryResult,
} from './admin-state.ts';

const NUMBERS = { unique_visitors: 3, email_signups: 2, bounce_rate: 33.33, average_duration: 42 };
const ADMIN = 'owner@example.org';

const stateAfter = (...events: AdminEvent[]) => events.reduce<AdminState>(adminReducer, LOCKED);
const requested: AdminEvent = { type: 'requested' };
const closed: AdminEvent = { type: 'closed' };
const submitted: AdminEvent = { type: 'submitted', email: ADMIN };
const restored: AdminEvent = { type: 'restored', email: ADMIN };
const forgotten: AdminEvent = { type: 'restored', email: null };
const checked = (result: SummaryResult, email = ADMIN): AdminEvent => ({ type: 'checked', email, result });
const granted = checked({ type: 'granted', numbers: NUMBERS });
const refused = checked({ type: 'refused' });
const unreachable = checked({ type: 'unreachable' });
const ready = { status: 'ready', numbers: NUMBERS };

describe('locked', () => {
  it('opens the access dialog, and closes it', () => {
    expect(stateAfter(requested)).toEqual({ status: 'locked', open: true, problem: null });
    expect(stateAfter(requested, closed)).toEqual(LOCKED);
  });

  it('checks the address typed, and unlocks with the panel open', () => {
    expect(stateAfter(requested, submitted)).toEqual({ status: 'checking', email: ADMIN });
    expect(stateAfter(requested, submitted, granted)).toEqual({
      status: 'unlocked',
      email: ADMIN,
      open: true,
      summary: ready,
    });
  });

  it('shows why an address did not unlock until the next attempt', () => {
    expect(stateAfter(requested, submitted, refused)).toMatchObject({ open: true, problem: 'invalid' });
    expect(stateAfter(requested, submitted, unreachable)).toMatchObject({ open: true, problem: 'unavailable' });
    expect(stateAfter(requested, submitted, refused, submitted).status).toBe('checking');
    expect(stateAfter(requested, submitted, refused, closed, requested)).toMatchObject({ problem: null });
  });

  it('ignores the result after the dialog was closed', () => {
    expect(stateAfter(requested, submitted, closed, granted)).toEqual(LOCKED);
  });
});

describe('unlocked by the stored address', () => {
  it('loads with the panel closed', () => {
    expect(stateAfter(restored)).toMatchObject({ status: 'unlocked', open: false, summary: { status: 'loading' } });
    expect(stateAfter(restored, granted)).toMatchObject({ open: false, summary: ready });
  });

  it('locks silently if the address is rejected, and does not lock if it cannot be checked', () => {
    expect(stateAfter(restored, refused)).toEqual(LOCKED);
    expect(stateAfter(restored, requested, refused)).toEqual(LOCKED);
    expect(stateAfter(restored, unreachable)).toMatchObject({
      status: 'unlocked',
      summary: { status: 'unreachable' },
    });
    expect(emailToCheck(stateAfter(restored, unreachable, { type: 'retried' }))).toBe(ADMIN);
  });

  it('requests a new summary when the panel opens, and shows the previous one until then', () => {
    const state = stateAfter(restored, granted, requested);
    expect(state).toMatchObject({ open: true, summary: { status: 'loading', numbers: NUMBERS } });
    expect(emailToCheck(state)).toBe(ADMIN);
  });

  it('locks on logout, here or in another tab', () => {
    expect(stateAfter(restored, granted, requested, { type: 'logged-out' })).toEqual(LOCKED);
    expect(stateAfter(restored, granted, requested, forgotten)).toEqual(LOCKED);
  });

  it('follows the address that another tab unlocked with', () => {
    const other: AdminEvent = { type: 'restored', email: 'other@example.org' };
    expect(emailToCheck(stateAfter(restored, granted, other))).toBe('other@example.org');
    expect(stateAfter(restored, other, granted)).toMatchObject({ summary: { status: 'loading', numbers: null } });
    expect(stateAfter(requested, submitted, other)).toMatchObject({ status: 'unlocked', open: true });
  });
});

describe('for any sequence of events', () => {
  const email = fc.constantFrom('a@example.org', 'b@example.org');
  const result = fc.constantFrom<SummaryResult>(
    { type: 'granted', numbers: NUMBERS },
    { type: 'refused' },
    { type: 'unreachable' },
  );
  const event: fc.Arbitrary<AdminEvent> = fc.oneof(
    fc.constantFrom<AdminEvent>(requested, closed, { type: 'retried' }, { type: 'logged-out' }, forgotten),
    fc.record({ type: fc.constant('submitted' as const), email }),
    fc.record({ type: fc.constant('restored' as const), email }),
    fc.record({ type: fc.constant('checked' as const), email, result }),
  );

  it('a summary only follows a granted result for the address being checked', () => {
    fc.assert(
      fc.property(fc.array(event), event, (before, next) => {
        const state = stateAfter(...before);
        const after = adminReducer(state, next);
        const gained = after.status === 'unlocked' && after.summary.status === 'ready';
        if (!gained || (state.status === 'unlocked' && state.summary.status === 'ready')) return;
        expect(next).toMatchObject({ type: 'checked', email: emailToCheck(state), result: { type: 'granted' } });
      }),
    );
  });

  it('an unexpected result changes nothing', () => {
    fc.assert(
      fc.property(fc.array(event), email, result, (before, about, given) => {
        const state = stateAfter(...before);
        if (emailToCheck(state) === about) return;
        expect(adminReducer(state, checked(given, about))).toBe(state);
      }),
    );
  });

  it('closing and logging out close everything', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(stateAfter(...events, closed)).not.toMatchObject({ open: true });
        expect(stateAfter(...events, closed, { type: 'logged-out' })).toEqual(LOCKED);
        expect(stateAfter(...events, closed, forgotten)).toEqual(LOCKED);
      }),
    );
  });

  it('a result always ends the check', () => {
    fc.assert(
      fc.property(fc.array(event), result, (events, given) => {
        const asked = emailToCheck(stateAfter(...events));
        if (asked === null) return;
        expect(emailToCheck(adminReducer(stateAfter(...events), checked(given, asked)))).toBeNull();
      }),
    );
  });
});
