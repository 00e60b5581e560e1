import type { PersonState } from '../lifecycle/states.ts';

/** The states after which an email of the series can come. `subscribed`: signed up, and confirmed if that is needed. */
export const SERIES_STATES = ['subscribed', 'invited', 'joined'] as const satisfies readonly PersonState[];
export type SeriesState = (typeof SERIES_STATES)[number];

/** When a person gets an email of the series: some days after they reach a state, or get another email of it. */
export interface StepTiming {
  /** Null: after `previous`, the id of another email of the series. */
  readonly after: SeriesState | null;
  readonly previous: string | null;
  readonly days: number;
}
