import type { AnalyticsSummary } from '../core/records.ts';

/** The overlay's states as a pure reducer. */
export type AdminState = Locked | Checking | Unlocked;

export interface Locked {
  readonly status: 'locked';
  /** Whether the access dialog is open. */
  readonly open: boolean;
  /** Why the last attempt in the open dialog failed; null if it did not. */
  readonly problem: 'invalid' | 'unavailable' | null;
}

/** The store is checking an address typed into the access dialog. */
interface Checking {
  readonly status: 'checking';
  readonly email: string;
}

interface Unlocked {
  readonly status: 'unlocked';
  readonly email: string;
  /** Whether the analytics panel is open. */
  readonly open: boolean;
  readonly summary: SummaryState;
}

/** While a new summary is loading, `numbers` is the previous one, null at first. */
export type SummaryState =
  | { readonly status: 'loading'; readonly numbers: AnalyticsSummary | null }
  | { readonly status: 'ready'; readonly numbers: AnalyticsSummary }
  | { readonly status: 'unreachable'; readonly numbers: null };

export type AdminEvent =
  /** The shortcut or the counter box was pressed. */
  | { readonly type: 'requested' }
  | { readonly type: 'closed' }
  | { readonly type: 'submitted'; readonly email: string }
  | { readonly type: 'retried' }
  | { readonly type: 'logged-out' }
  /** The stored address was read, initially or after another tab changed it. */
  | { readonly type: 'restored'; readonly email: string | null }
  | { readonly type: 'checked'; readonly email: string; readonly result: SummaryResult };

export type SummaryResult =
  | { readonly type: 'granted'; readonly numbers: AnalyticsSummary }
  | { readonly type: 'refused' }
  | { readonly type: 'unreachable' };

export const LOCKED: Locked = { status: 'locked', open: false, problem: null };
const LOADING: SummaryState = { status: 'loading', numbers: null };
const UNREACHABLE: SummaryState = { status: 'unreachable', numbers: null };

/** Returns the address that the store must check in this state, or null. */
export function emailToCheck(state: AdminState): string | null {
  if (state.status === 'checking') return state.email;
  return state.status === 'unlocked' && state.summary.status === 'loading' ? state.email : null;
}

export function adminReducer(state: AdminState, event: AdminEvent): AdminState {
  switch (event.type) {
    case 'requested':
      return open(state);
    case 'closed':
      return state.status === 'unlocked' ? { ...state, open: false } : LOCKED;
    case 'submitted':
      return state.status === 'locked' && state.open ? { status: 'checking', email: event.email } : state;
    case 'retried':
      return state.status === 'unlocked' && state.summary.status === 'unreachable'
        ? { ...state, summary: LOADING }
        : state;
    case 'logged-out':
      return state.status === 'unlocked' ? LOCKED : state;
    case 'restored':
      return restore(state, event.email);
    case 'checked':
      return emailToCheck(state) === event.email ? applyResult(state, event.result) : state;
  }
}

function open(state: AdminState): AdminState {
  if (state.status === 'locked') return { ...state, open: true };
  if (state.status === 'checking' || state.open) return state;
  // The page may have been open for a long time, so load the summary again.
  return { ...state, open: true, summary: { status: 'loading', numbers: state.summary.numbers } };
}

function restore(state: AdminState, email: string | null): AdminState {
  if (email === null) return state.status === 'unlocked' ? LOCKED : state;
  if (state.status === 'unlocked' && state.email === email) return state;
  return { status: 'unlocked', email, open: state.status === 'checking' || state.open, summary: LOADING };
}

function applyResult(state: AdminState, result: SummaryResult): AdminState {
  if (state.status === 'locked') return state;
  if (result.type === 'granted') {
    const summary: SummaryState = { status: 'ready', numbers: result.numbers };
    return { status: 'unlocked', email: state.email, open: state.status === 'checking' || state.open, summary };
  }
  if (state.status === 'checking') {
    return { status: 'locked', open: true, problem: result.type === 'refused' ? 'invalid' : 'unavailable' };
  }
  // A stored address that is rejected locks the overlay silently; one that cannot be checked is not removed.
  return result.type === 'refused' ? LOCKED : { ...state, summary: UNREACHABLE };
}
